import { type EventSchema, input, outcome } from '../decider.js';
import type { LogRedaction } from '../reflective-log/fields.js';

/** Every event of `consent-<entity id of the user>` (SPEC P4). */
export type ConsentEvent =
  | { readonly type: 'consent_given'; readonly data: ConsentGiven }
  | { readonly type: 'consent_revoked'; readonly data: ConsentRevoked }
  /** The council agreed that data of category high may be kept under the consent. */
  | { readonly type: 'sensitive_consent_approved'; readonly data: SensitiveConsentApproved }
  /**
   * The payload of an episode is shown to nobody any more: it was kept under the consent, and its event came after the
   * revocation.
   */
  | { readonly type: 'episode_withheld'; readonly data: EpisodeWithheld }
  /** Personal data was removed from the text of a consent (SPEC P3). */
  | {
      readonly type: 'pii_redacted';
      readonly data: { readonly subject: 'consent'; readonly redactions: readonly LogRedaction[] };
    };

/** For how long a consent holds: for one job, or until it is revoked. */
export type ConsentScope = 'job' | 'persistent';
export const CONSENT_SCOPES: readonly ConsentScope[] = ['job', 'persistent'];

export type ConsentGiven = {
  readonly consent_id: string;
  readonly user_id: string;
  /** The words to which the user agreed, at most 4,000 code points, without personal data. */
  readonly text: string;
  readonly scope: ConsentScope;
  readonly job_seed: string | null;
  /** The wall-clock time, recorded as input. */
  readonly given_at: string;
  readonly redactions?: readonly LogRedaction[];
};

type ConsentRevoked = { readonly consent_id: string; readonly revoked_at: string };

type SensitiveConsentApproved = {
  readonly consent_id: string;
  /** The request that the council approved. */
  readonly request_id: string;
};

export type EpisodeWithheld = { readonly consent_id: string; readonly episodic_id: string };

export const consentSchemas: Readonly<Record<ConsentEvent['type'], EventSchema>> = {
  consent_given: input,
  consent_revoked: input,
  sensitive_consent_approved: input,
  episode_withheld: input,
  pii_redacted: outcome,
};
