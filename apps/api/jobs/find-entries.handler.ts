import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { findCwm, findWm, type FindPredicate } from '#domain/job/find.js';
import { type JobState, jobStream } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { JobAccess } from './job-access.js';

export interface FoundEntries {
  readonly entries: readonly JsonObject[];
  /** The job's version after the reading was recorded. */
  readonly version: number;
  readonly position: bigint | undefined;
}

/** A find is a reading for a decision: while the job runs it leaves a `memory_read` (SPEC J8, J10). */
export class FindEntries extends Command<FoundEntries> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly memory: 'wm' | 'cwm',
    readonly predicate: FindPredicate,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

const find = {
  wm: { in: findWm, idOf: (entry: JsonObject) => entry['wm_id'] as string, kind: 'wm_find' },
  cwm: {
    in: findCwm,
    idOf: (entry: JsonObject) => entry['cwm_id_item'] as string,
    kind: 'cwm_find',
  },
} as const;

const isConflict = (cause: unknown): boolean =>
  cause instanceof Refusal && cause.code === 'VERSION_CONFLICT';

@CommandHandler(FindEntries)
export class FindEntriesHandler implements ICommandHandler<FindEntries> {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly access: JobAccess,
  ) {}

  async execute(command: FindEntries): Promise<FoundEntries> {
    const { actor, seed, memory, predicate, identity } = command;
    await this.access.toUse(actor, seed);
    const stream = jobStream(seed);
    const first = identity.keyed ? await this.jobs.answered(stream, identity) : undefined;
    if (first !== undefined) {
      // What was found then is found again in the job as it was then (SPEC I7).
      const { state } = await this.jobs.loadAt(stream, first.version);
      return { ...first, entries: find[memory].in(state, predicate) };
    }
    // What is recorded must be what was found, so the reading holds for the version it was made at.
    for (;;) {
      const { state, version, position } = await this.jobs.load(stream);
      const entries = find[memory].in(state, predicate);
      if (state.status !== 'running') return { entries, version, position };
      try {
        return { entries, ...(await this.record(command, state, entries)) };
      } catch (cause) {
        if (!isConflict(cause)) throw cause;
      }
    }
  }

  private record(
    { seed, memory, identity }: FindEntries,
    { version }: JobState,
    entries: readonly JsonObject[],
  ) {
    const { kind, idOf } = find[memory];
    return this.jobs.execute(
      jobStream(seed),
      [{ op: 'memory_read', kind, ids: entries.map(idOf) }],
      identity,
      { expectedVersion: version },
    );
  }
}
