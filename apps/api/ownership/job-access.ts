import { jobDecider } from '#domain/job/decider.js';
import { jobStream } from '#domain/stream-names.js';
import { eventOf } from '#domain/upcast.js';
import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { Refusal } from '#domain/errors/refusal.js';
import { versionAhead } from '../platform/state-at-version.js';
import type { JobOwner } from '#domain/job/events.js';
import { type JobState } from '#domain/job/state.js';
import { permit } from '#domain/errors/permit.js';
import { mayReadJob, mayUseJob, owns } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { type Loaded, readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE } from '../platform/tokens.js';

const MAX_OWNER_BYTES = 8 * 1024 * 1024;

/** Decides who may use a job (SPEC I9). A job's owner never changes, so it is cached. */
@Injectable()
export class JobAccess {
  private readonly owners = new LruMap<string, JobOwner>({
    maxBytes: MAX_OWNER_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
  ) {}

  /**
   * Requires that the caller may send commands to this job, and returns its owner. @throws Refusal NOT_FOUND,
   * PERMISSION_DENIED
   */
  async requireUse(actor: Actor, seed: string): Promise<JobOwner> {
    const owner = await this.ownerOf(seed);
    permit(mayUseJob(actor, owner), `send commands to job ${seed}`, 'I9');
    return owner;
  }

  /** True if the caller sees the personal data of this job: its owner, while it runs (SPEC P3). */
  async seesPersonalData(actor: Actor, seed: string): Promise<boolean> {
    if (!owns(actor, await this.ownerOf(seed))) return false;
    const { state } = await this.jobs.load(jobStream(seed));
    return state.status === 'running';
  }

  /** Requires that the caller may read this job. @throws Refusal NOT_FOUND, PERMISSION_DENIED */
  async requireRead(actor: Actor, seed: string): Promise<void> {
    permit(mayReadJob(actor, await this.ownerOf(seed)), `read job ${seed}`, 'I9');
  }

  /**
   * Returns the job's state, at a version or a position if one is given. @throws Refusal NOT_FOUND, PERMISSION_DENIED if the
   * caller may not read the job.
   */
  async read(
    actor: Actor,
    seed: string,
    { version, position }: { readonly version?: number; readonly position?: bigint } = {},
  ): Promise<Loaded<JobState>> {
    await this.requireRead(actor, seed);
    const stream = jobStream(seed);
    if (position !== undefined) return this.readAt(seed, position);
    if (version === undefined) return this.jobs.load(stream);
    const loaded = await this.jobs.loadAt(stream, version);
    if (loaded.version < version) throw versionAhead(version, loaded.version);
    return loaded;
  }

  private async readAt(seed: string, position: bigint): Promise<Loaded<JobState>> {
    const loaded = await this.jobs.loadAtPosition(jobStream(seed), position);
    if (loaded.version < 0) throw new Refusal('NOT_FOUND', { what: 'job', id: seed });
    return loaded;
  }

  /** Returns the owner of a job. @throws Refusal NOT_FOUND if the job does not exist. */
  async ownerOf(seed: string): Promise<JobOwner> {
    const known = this.owners.get(seed);
    if (known !== undefined) return known;
    const owner = await this.recordedOwner(seed);
    if (owner === undefined) throw new Refusal('NOT_FOUND', { what: 'job', id: seed });
    this.owners.set(seed, owner);
    return owner;
  }

  /**
   * Returns the owner in the first event. No later event is read, so a job with a broken event can still
   * be audited.
   */
  private async recordedOwner(seed: string): Promise<JobOwner | undefined> {
    for await (const event of readRecorded(this.eventStore, jobStream(seed), { to: 0 })) {
      const { type, data } = eventOf(jobDecider, event);
      if (type === 'job_started') return data.owner;
    }
    return undefined;
  }
}
