import { Inject, Injectable } from '@nestjs/common';
import type { DomainEvent } from '#domain/decider.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobEvent, JobOwner } from '#domain/job/events.js';
import { type JobState, jobStream } from '#domain/job/state.js';
import { permit } from '#domain/errors/permit.js';
import { mayReadJob, mayUseJob } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { type Loaded, readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE } from '../platform/tokens.js';

const REMEMBERED_OWNERS = 10_000;

/** Decides who may use a job (SPEC I9). A job's owner never changes, so it is cached. */
@Injectable()
export class JobAccess {
  private readonly owners = new Map<string, JobOwner>();

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
  ) {}

  /** @throws Refusal NOT_FOUND, PERMISSION_DENIED: the caller may not send commands to this job. */
  async toUse(actor: Actor, seed: string): Promise<void> {
    permit(mayUseJob(actor, await this.ownerOf(seed)), `send commands to job ${seed}`, 'I9');
  }

  /** @throws Refusal NOT_FOUND, PERMISSION_DENIED: the caller may not read this job. */
  async toRead(actor: Actor, seed: string): Promise<void> {
    permit(mayReadJob(actor, await this.ownerOf(seed)), `read job ${seed}`, 'I9');
  }

  /**
   * Returns the job for a caller that may read it.
   * @throws Refusal NOT_FOUND, PERMISSION_DENIED.
   */
  async read(actor: Actor, seed: string, version?: number): Promise<Loaded<JobState>> {
    await this.toRead(actor, seed);
    const stream = jobStream(seed);
    return version === undefined ? this.jobs.load(stream) : this.jobs.loadAt(stream, version);
  }

  async ownerOf(seed: string): Promise<JobOwner> {
    const known = this.owners.get(seed);
    if (known !== undefined) return known;
    const owner = await this.recordedOwner(seed);
    if (owner === undefined) throw new Refusal('NOT_FOUND', { what: 'job', id: seed });
    this.remember(seed, owner);
    return owner;
  }

  /** Reads only the first event, so that a job with a broken event further on can still be audited. */
  private async recordedOwner(seed: string): Promise<JobOwner | undefined> {
    for await (const event of readRecorded(this.eventStore, jobStream(seed), { to: 0 })) {
      const { type, data } = event as DomainEvent as JobEvent;
      if (type === 'job_started') return data.owner;
    }
    return undefined;
  }

  private remember(seed: string, owner: JobOwner): void {
    const [oldest] = this.owners.keys();
    if (this.owners.size >= REMEMBERED_OWNERS && oldest !== undefined) this.owners.delete(oldest);
    this.owners.set(seed, owner);
  }
}
