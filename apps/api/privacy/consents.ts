import { Inject, Injectable } from '@nestjs/common';
import {
  type Consent,
  coveringConsent,
  type ConsentNeed,
  type ConsentState,
} from '#domain/consent/state.js';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import type { ActionRequested } from '#domain/action-request/events.js';
import { clearValueOf } from '#domain/held.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { consentStream, streamOfConsent } from '#domain/stream-names.js';
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

  /** Returns all consents of a user. Fails with `EventStoreUnavailable`. */
  async of(userId: string): Promise<ConsentState> {
    return (await this.consents.load(consentStream(userId))).state;
  }

  /** Returns a consent; undefined if nobody gave it. Fails with `EventStoreUnavailable`. */
  async find(consentId: string): Promise<Consent | undefined> {
    const { state } = await this.consents.load(streamOfConsent(consentId));
    return state.consents.find(({ consent_id }) => consent_id === consentId);
  }

  /**
   * True if a consent was revoked before a position of the log. A write reads the consent before it is appended, so it
   * asks again afterwards. The order of the log decides, so a retry finds the same. Fails with `EventStoreUnavailable`.
   */
  async isRevokedBefore(consentId: string, position: bigint): Promise<boolean> {
    if (typeof (await this.find(consentId))?.revoked_at !== 'string') return false;
    for await (const event of readRecorded(this.eventStore, streamOfConsent(consentId)))
      if (event.type === 'consent_revoked' && event.data['consent_id'] === consentId)
        return event.position < position;
    return false;
  }

  /**
   * Lets a consent cover data of category high, as the council approved (SPEC P4). Returns the command that links it
   * in the request.
   */
  async approve(
    request: ActionRequested,
    identity: CommandIdentity,
  ): Promise<ActionRequestCommand> {
    const { consent_id } = clearValueOf(request) as { readonly consent_id: string };
    const sem_stream = streamOfConsent(consent_id);
    const approval = { type: 'approve', consent_id, request_id: request.request_id } as const;
    const { version } = await this.consents.execute(sem_stream, [approval], identity);
    return { type: 'link_execution', sem_stream, sem_event_number: version, superseded: false };
  }
}
