import type { Category } from '../privacy/finding.js';
import type { ConsentEvent, ConsentGiven } from './events.js';

/** The form of a consent's id. @see consentIdAt */
export const CONSENT_ID = /^user_[a-z0-9_-]{1,100}\.[1-9]\d{0,9}$/;

/** Returns the id of the nth consent in a stream, such as `user_mira.1`. */
export const consentIdAt = (stream: string, number: number): string =>
  `${stream.slice('consent-'.length)}.${number}`;

export interface Consent extends ConsentGiven {
  readonly revoked_at: string | null;
  /** The request by which the council approved data of category high; null without an approval. */
  readonly approved_by: string | null;
}

export interface ConsentState {
  readonly stream: string;
  /** In the order in which they were given. */
  readonly consents: readonly Consent[];
}

export const initialConsents = (stream: string): ConsentState => ({ stream, consents: [] });

const withChange = (
  state: ConsentState,
  consent_id: string,
  change: Partial<Consent>,
): ConsentState => ({
  ...state,
  consents: state.consents.map((consent) =>
    consent.consent_id === consent_id ? { ...consent, ...change } : consent,
  ),
});

export function evolveConsents(state: ConsentState, event: ConsentEvent): ConsentState {
  switch (event.type) {
    case 'consent_given': {
      const given: Consent = { ...event.data, revoked_at: null, approved_by: null };
      return { ...state, consents: [...state.consents, given] };
    }
    case 'consent_revoked': {
      const { consent_id, revoked_at } = event.data;
      return withChange(state, consent_id, { revoked_at });
    }
    case 'sensitive_consent_approved': {
      const { consent_id, request_id } = event.data;
      return withChange(state, consent_id, { approved_by: request_id });
    }
    case 'episode_withheld':
    case 'pii_redacted':
      return state;
  }
}

/** The data that a consent must cover: its category, and its job if it belongs to one. */
export interface ConsentNeed {
  readonly category: Category;
  readonly job_seed: string | null;
}

/**
 * Returns the consent that covers the need, the latest one if there are several. Data of category high also needs
 * the council (SPEC P4).
 */
export const coveringConsent = (
  { consents }: ConsentState,
  { category, job_seed }: ConsentNeed,
): Consent | undefined =>
  consents.findLast(
    (consent) =>
      consent.revoked_at === null &&
      (consent.scope === 'persistent' || consent.job_seed === job_seed) &&
      (category !== 'high' || consent.approved_by !== null),
  );
