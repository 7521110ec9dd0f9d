import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { Moments, requireOne } from '../moments/moments.js';
import { JobAccess } from '../ownership/job-access.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.js';
import type { ReadModelName } from '../platform/http/reads-from.decorator.js';
import type { ReadModels } from '../platform/read-models.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, READ_MODELS } from '../platform/tokens.js';

/** A read at a position that a job may record, because it may decide on what was found. */
interface RecordedRead {
  readonly actor: Actor;
  readonly identity: RequestIdentity;
  readonly record_in?: string;
  readonly as_of?: string;
  readonly at?: string;
}

/** Answers reads at a position in the log, and records them in a job if they say so. */
@Injectable()
export class RecordedReads {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly jobAccess: JobAccess,
    private readonly claims: RequestClaims,
    private readonly moments: Moments,
  ) {}

  /**
   * Returns the answer of `read`; a retry of a recorded read gets what the first one found. @param read is given the
   * position; undefined for the end of the log @param idsIn the ids of what was found, for the record
   */
  async answer<Body extends { readonly as_of: string; readonly ranking_version?: number }>(
    { actor, identity, record_in, ...asked }: RecordedRead,
    read: (as_of: string | undefined) => Promise<Body>,
    idsIn: (body: Body) => readonly string[],
  ): Promise<Answer<Body>> {
    const as_of = await this.namedPosition(asked);
    if (record_in === undefined) return Answer.written(await read(as_of), undefined);
    const stream = jobStream(record_in);
    await this.claims.streamFor(identity, stream);
    await this.jobAccess.requireUse(actor, record_in);
    const body = await read((await this.recordedPosition(stream, identity)) ?? as_of);
    const found = { op: 'memory_read', kind: 'search', ids: idsIn(body) } as const;
    const { ranking_version } = body;
    const evidence: JsonObject = {
      ...identity.evidence,
      as_of: body.as_of,
      ...(ranking_version === undefined ? {} : { ranking_version }),
    };
    const { position } = await this.jobs.execute(stream, [found], { ...identity, evidence });
    return Answer.written(body, position);
  }

  private async namedPosition({ at, as_of }: Pick<RecordedRead, 'at' | 'as_of'>) {
    requireOne({ at, as_of });
    return (await this.moments.positionAt(at))?.toString() ?? as_of;
  }

  /** Returns the position at which an earlier try of this request read, so that a retry finds the same. */
  private async recordedPosition(
    stream: string,
    { command_id }: RequestIdentity,
  ): Promise<string | undefined> {
    const { hasTaken } = await this.jobs.load(stream);
    if (!hasTaken(command_id)) return undefined;
    for await (const { metadata } of readRecorded(this.eventStore, stream))
      if (metadata.command_id === command_id) return metadata['as_of'] as string | undefined;
    return undefined;
  }

  /**
   * Waits until the read models show the position that the caller names, and returns it; by default one that they show.
   * @throws Refusal INVALID_INPUT if the log ends before it
   */
  async positionAt(
    as_of: string | undefined,
    readModels: readonly ReadModelName[],
  ): Promise<bigint> {
    const shown = this.readModels.shown(readModels);
    if (as_of === undefined && shown !== undefined) return shown;
    const position = as_of === undefined ? undefined : BigInt(as_of);
    if (position !== undefined && shown !== undefined && position <= shown) return position;
    const end = (await this.eventStore.lastPosition()) ?? -1n;
    if (position !== undefined && position > end)
      throw new Refusal('INVALID_INPUT', {
        reason: `as_of: is ahead of the log, which ends at ${end}: give at most that, or leave it out`,
      });
    const wanted = position ?? end;
    if (wanted < 0n) return 0n;
    await this.readModels.reach(wanted, readModels);
    return wanted;
  }
}
