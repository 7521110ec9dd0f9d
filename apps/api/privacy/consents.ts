import { Inject, Injectable } from '@nestjs/common';
import {
  type Consent,
  consentStream,
  coveringConsent,
  type ConsentNeed,
} from '#domain/consent/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobEvent, JobOwner } from '#domain/job/events.js';
import { jobStream } from '#domain/job/state.js';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE, EVENT_STORE } from '../platform/tokens.js';

/** Reads consents from their streams (SPEC P4). */
@Injectable()
export class Consents {
  constructor(
    @Inject(CONSENT_STORE) private readonly consents: ConsentStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  /**
   * Returns the user's consent that covers the need; undefined without one. The write that relies on it records its
   * id. Fails with `EventStoreUnavailable`.
   */
  async covering(userId: string | null, need: ConsentNeed): Promise<Consent | undefined> {
    if (userId === null) return undefined;
    const { state } = await this.consents.load(consentStream(userId));
    return coveringConsent(state, need);
  }

  /** Requires that a job is the user's. @throws Refusal NOT_FOUND otherwise */
  async requireJobOf(userId: string, job_seed: string): Promise<void> {
    const owner = await this.ownerOf(job_seed);
    const isTheirs =
      owner !== undefined && owner.user_id !== null && sameUser(owner.user_id, userId);
    if (!isTheirs) throw new Refusal('NOT_FOUND', { what: 'job', id: job_seed });
  }

  private async ownerOf(seed: string): Promise<JobOwner | undefined> {
    for await (const event of readRecorded(this.eventStore, jobStream(seed), { to: 0 })) {
      const { type, data } = event as unknown as JobEvent;
      if (type === 'job_started') return data.owner;
    }
    return undefined;
  }
}
