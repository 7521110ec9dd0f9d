import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequested } from '#domain/action-request/events.js';
import { consentView } from '#domain/consent/consent.decider.js';
import { clearValueOf } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { streamOfConsent } from '#domain/stream-names.js';
import { ConsentDto } from '../../consents/consent-view.js';
import { ApiField, one, orNull } from '../../platform/http/answer-fields.js';
import type { ConsentStore } from '../../platform/stores.js';
import { CONSENT_STORE } from '../../platform/tokens.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

export class ConsentReviewFields {
  @ApiField(orNull(one(ConsentDto)), {
    description:
      'The consent that would cover data of category high; null for a request of another kind.',
  })
  readonly consent!: ConsentDto | null;
}

/** Finds the consent that a request wants to extend to data of category high (SPEC P4). */
@Injectable()
export class ConsentReview implements DossierPart<ConsentReviewFields> {
  constructor(@Inject(CONSENT_STORE) private readonly consents: ConsentStore) {}

  async of({ request }: ReviewedRequest): Promise<ConsentReviewFields> {
    return { consent: await this.consentOf(request) };
  }

  private async consentOf(request: ActionRequested): Promise<ConsentDto | null> {
    if (request.kind !== 'sensitive_consent') return null;
    const { consent_id } = clearValueOf(request) as JsonObject & { readonly consent_id: string };
    const { state } = await this.consents.load(streamOfConsent(consent_id));
    const given = state.consents.find((consent) => consent.consent_id === consent_id);
    return given === undefined ? null : consentView(given);
  }
}
