import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequested } from '#domain/action-request/events.js';
import { consentView } from '#domain/consent/consent.decider.js';
import { clearValueOf } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { streamOfConsent } from '#domain/stream-names.js';
import type { ConsentDto } from '../../consents/consent-view.js';
import type { ConsentStore } from '../../platform/stores.js';
import { CONSENT_STORE } from '../../platform/tokens.js';

/** Finds the consent that a request wants to extend to data of category high (SPEC P4). */
@Injectable()
export class ConsentReviews {
  constructor(@Inject(CONSENT_STORE) private readonly consents: ConsentStore) {}

  /** Returns null for a request of another kind. */
  async of(request: ActionRequested): Promise<ConsentDto | null> {
    if (request.kind !== 'sensitive_consent') return null;
    const { consent_id } = clearValueOf(request) as JsonObject & { readonly consent_id: string };
    const { state } = await this.consents.load(streamOfConsent(consent_id));
    const given = state.consents.find((consent) => consent.consent_id === consent_id);
    return given === undefined ? null : consentView(given);
  }
}
