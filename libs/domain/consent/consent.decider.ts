import { requireText } from '../free-text.js';
import type { AnsweredBy, Decider } from '../decider.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import type { Json } from '../json.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { consentSchemas, type ConsentEvent, type ConsentGiven } from './events.js';
import {
  type Consent,
  consentIdAt,
  type ConsentState,
  evolveConsents,
  initialConsents,
} from './state.js';

/** The caller checks beforehand that the user owns the stream, and the council’s approval. */
export type ConsentCommand = AnsweredBy<ReturnType<typeof consentView>> & Change;

type Change =
  | ({ readonly type: 'give' } & Omit<ConsentGiven, 'consent_id'>)
  | { readonly type: 'revoke'; readonly consent_id: string; readonly revoked_at: string }
  | {
      readonly type: 'withhold_episode';
      readonly consent_id: string;
      readonly episodic_id: string;
    }
  | { readonly type: 'approve'; readonly consent_id: string; readonly request_id: string };

function give(
  { text, scope, job_seed, user_id, redactions, ...command }: Omit<ConsentGiven, 'consent_id'>,
  { stream, consents }: ConsentState,
): ConsentEvent[] {
  requireText('a consent', text);
  if ((scope === 'job') !== (job_seed !== null))
    throw new Refusal('INVALID_INPUT', {
      reason: 'job_seed: is given with scope job, and only then',
    });
  const consent_id = consentIdAt(stream, consents.length + 1);
  const given_at = normalizeTimestamp(command.given_at);
  const given = { consent_id, user_id, text, scope, job_seed, given_at };
  const data: ConsentGiven = { ...given, ...redactionsOf(redactions) };
  return [{ type: 'consent_given', data }, ...piiRedacted('consent', redactions)];
}

function requireConsent({ consents }: ConsentState, id: string): Consent {
  const consent = consents.find(({ consent_id }) => consent_id === id);
  if (consent === undefined) throw new Refusal('NOT_FOUND', { what: 'consent', id });
  return consent;
}

function decide(command: ConsentCommand, state: ConsentState): readonly ConsentEvent[] {
  if (command.type === 'give') return give(command, state);
  const { consent_id } = command;
  const consent = requireConsent(state, consent_id);
  if (command.type === 'revoke') {
    if (consent.revoked_at !== null) return [];
    const revoked_at = normalizeTimestamp(command.revoked_at);
    return [{ type: 'consent_revoked', data: { consent_id, revoked_at } }];
  }
  if (command.type === 'withhold_episode') {
    permit(consent.revoked_at !== null, 'withhold what a consent covers', 'P4');
    const { episodic_id } = command;
    return [{ type: 'episode_withheld', data: { consent_id, episodic_id } }];
  }
  const { request_id } = command;
  if (consent.revoked_at !== null)
    throw new Refusal('VERSION_CONFLICT', {
      what: 'the consent',
      expected: 'given',
      actual: 'revoked',
    });
  if (consent.approved_by !== null) return [];
  return [{ type: 'sensitive_consent_approved', data: { consent_id, request_id } }];
}

function commandOf(event: ConsentEvent): ConsentCommand {
  switch (event.type) {
    case 'consent_given':
      return { type: 'give', ...event.data };
    case 'consent_revoked':
      return { type: 'revoke', ...event.data };
    case 'sensitive_consent_approved':
      return { type: 'approve', ...event.data };
    case 'episode_withheld':
      return { type: 'withhold_episode', ...event.data };
    case 'pii_redacted':
      throw new TypeError('pii_redacted is an outcome, not an input');
  }
}

/** A consent as callers see it. */
export const consentView = ({ redactions: _, approved_by, ...consent }: Consent) =>
  ({ ...consent, sensitive_data_approved: approved_by !== null }) as const satisfies Json;

function resultOf(input: ConsentEvent, { consents }: ConsentState) {
  if (input.type === 'pii_redacted') return null;
  const consent = consents.find(({ consent_id }) => consent_id === input.data.consent_id);
  return consent === undefined ? null : consentView(consent);
}

/** The consents of one user, in `consent-<entity id>` (SPEC P4). */
export const consentDecider: Decider<ConsentState, ConsentCommand, ConsentEvent> = {
  category: 'consent',
  schemas: consentSchemas,
  initialState: initialConsents,
  evolve: evolveConsents,
  decide,
  commandOf,
  resultOf,
};
