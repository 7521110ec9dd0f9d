import { Inject, Injectable } from '@nestjs/common';
import {
  type Consent,
  consentStream,
  coveringConsent,
  streamOfConsent,
  type ConsentNeed,
} from '#domain/consent/state.js';
import type { ActionRequestCommand } from '#domain/action-request/decide.js';
import type { ActionRequested } from '#domain/action-request/events.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobEvent, JobOwner } from '#domain/job/events.js';
import { clearValueOf } from '#domain/held.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
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

  /**
   * Lets a consent cover data of category high, as the council approved (SPEC P4). Returns the command that records
   * the outcome in the request.
   */
  async approve(
    request: ActionRequested,
    identity: CommandIdentity,
  ): Promise<ActionRequestCommand> {
    const { consent_id } = clearValueOf(request) as { readonly consent_id: string };
    const sem_stream = streamOfConsent(consent_id);
    const approval = { type: 'approve', consent_id, request_id: request.request_id } as const;
    try {
      const { version } = await this.consents.execute(sem_stream, [approval], identity);
      return { type: 'link_execution', sem_stream, sem_event_number: version, superseded: false };
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code === 'MEMORY_WRITE_FAIL') throw cause;
      if (cause.code === 'STORAGE_FULL') throw cause;
      return { type: 'refuse_execution', code: cause.code };
    }
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
