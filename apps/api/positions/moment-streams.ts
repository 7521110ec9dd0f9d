import { Inject, Injectable } from '@nestjs/common';
import { canonicalPrefix, userEntityId } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import { isFactId, ThingsRead } from '#domain/job/things-read.js';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream, requestStream, semStream } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import { readUpTo } from '#event-store/stream-past.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import { MemoriesAccess } from '../memories/memories-access.js';
import { JobAccess } from '../ownership/job-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { provenanceOf } from '../sem/fact-requests.js';

/** A file has the events of so many facts at most. */
const MAX_FACTS = 1_000;

/** Chooses the content of a file. Without any of these fields, the file has all facts. */
export interface MomentSubject {
  readonly job_seed?: string;
  readonly user_id?: string;
  readonly prefix?: string;
}

/**
 * Finds the streams that show what the log held at a position: a job with the facts that it had read, a person's facts and
 * memories, or the facts under a prefix; and the requests that led to these facts.
 */
@Injectable()
export class MomentStreams {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly facts: SemQueries,
    private readonly jobs: JobAccess,
    private readonly memories: MemoriesAccess,
  ) {}

  /** @throws Refusal NOT_FOUND for a job that does not exist, and INVALID_INPUT for more facts than a file has */
  async of(actor: Actor, subject: MomentSubject, position: bigint): Promise<ReadonlySet<string>> {
    const { job_seed, user_id } = subject;
    const streams = new Set<string>();
    if (job_seed !== undefined) {
      await this.jobs.requireRead(actor, job_seed);
      streams.add(jobStream(job_seed));
    }
    const facts = await this.factsAt(subject, position);
    for (const { key } of facts) streams.add(semStream(key));
    for (const fact of facts) {
      const request = provenanceOf(fact);
      if (request !== undefined) streams.add(requestStream(request));
    }
    if (user_id !== undefined) {
      const { owner } = this.memories.read(actor, user_id);
      streams.add(await this.memories.streamOf(owner, 'read'));
    }
    return streams;
  }

  private async factsAt(
    { job_seed, user_id, prefix }: MomentSubject,
    position: bigint,
  ): Promise<readonly Fact[]> {
    const count = await this.facts.countAt(position);
    const keys = job_seed === undefined ? [] : await this.readBy(job_seed, position);
    const read = keys.length === 0 ? [] : (await this.facts.getManyAtCount(keys, count)).values();
    const isListed = prefix !== undefined || user_id !== undefined || job_seed === undefined;
    const listed = isListed ? await this.listed(user_id, prefix, position) : [];
    const facts = [...read, ...listed];
    if (facts.length > MAX_FACTS)
      throw tooMany(
        `the log had more than ${MAX_FACTS} facts there: name a longer prefix, a job or a user`,
      );
    return facts;
  }

  private listed(user_id: string | undefined, prefix: string | undefined, position: bigint) {
    return this.facts.search({
      prefix: canonicalPrefix(prefix ?? (user_id === undefined ? '' : 'user/')),
      limit: MAX_FACTS + 1,
      position,
      ...(user_id === undefined ? {} : { userEntityId: userEntityId(user_id) }),
    });
  }

  /** Returns the keys of the facts that a job had read by a position (SPEC J10). */
  private async readBy(seed: string, position: bigint): Promise<readonly string[]> {
    const things = new ThingsRead();
    for await (const event of readUpTo(this.eventStore, jobStream(seed), position))
      things.take(event);
    const keys = things.all.map(({ id }) => id).filter(isFactId);
    if (keys.length > MAX_FACTS || things.leftOut > 0)
      throw tooMany(`the job had read more than ${MAX_FACTS} facts`);
    return keys;
  }
}

const tooMany = (reason: string): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `prefix: ${reason}` });
