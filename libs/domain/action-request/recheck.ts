import { keysOf } from '../keys-of.js';
import { type ConsentNeed, type ConsentState, coveringConsent } from '../consent/state.js';
import { isSealed } from '../held.js';
import type { FactPut } from '../sem/events.js';
import { isSuperseded, type Winner } from '../sem/state.js';
import type { ActionRequested } from './events.js';
import type { GatedValue } from './gated-value.js';
import { isSameValue } from './risk.js';

/** What a waiting request may have come to, each with words for a reviewer. The codes never change. */
export const RECHECK_TEXTS = {
  overdue: 'The deadline has passed, so nobody can vote any more.',
  fact_appeared: 'The key had no value when this was proposed; it has one now.',
  fact_changed: 'The present value is not the one that stood when this was proposed.',
  fact_deleted: 'The value that stood when this was proposed is deleted.',
  already_true: 'The key has the proposed value already.',
  would_be_superseded:
    'A write with a later timestamp stands, so an approval would change nothing.',
  episode_missing: 'The episode that this is based on cannot be found.',
  episode_erased: 'The payload of the episode that this is based on is erased.',
  evidence_missing: 'Evidence that this cites cannot be found as it was cited.',
  evidence_erased: 'Evidence that this cites is erased.',
  value_erased: 'The proposed value is erased: an approval would be refused.',
  consent_missing:
    'The value has personal data, and no consent covers it: an approval would be refused.',
  consent_revoked: 'The consent that this needs is revoked: an approval would be refused.',
  personal_data_found:
    'The present rules find personal data in the value: an approval would be refused.',
} as const;
export type RecheckCode = keyof typeof RECHECK_TEXTS;
export const RECHECK_CODES = keysOf(RECHECK_TEXTS);

/** The findings that would refuse an approval now, or the vote for it; the others are for the reviewer to judge. */
const REFUSING: ReadonlySet<RecheckCode> = new Set<RecheckCode>([
  ...(['overdue', 'would_be_superseded'] as const),
  ...(['value_erased', 'consent_missing', 'consent_revoked', 'personal_data_found'] as const),
]);

/** True for a finding that would refuse an approval. */
export const refusesApproval = ({ code }: Pick<RecheckFinding, 'code'>): boolean =>
  REFUSING.has(code);

/** True if an approval would be refused now, or would change nothing (SPEC S3, S7, P4). */
export const wouldBeRefused = (findings: readonly RecheckFinding[]): boolean =>
  findings.some(refusesApproval);

export type CheckedRequest = GatedValue &
  Pick<ActionRequested, 'request_id' | 'kind' | 'source' | 'expires_at' | 'made_for' | 'job_seed'> &
  Pick<ActionRequested, 'target_sem_key' | 'episodic_id' | 'evidence'>;

export type RecheckFinding = {
  readonly code: RecheckCode;
  readonly text: string;
  /** For evidence: the indexes of the entries, from 0. */
  readonly evidence?: readonly number[];
};

/** What was found of something cited. `none` if the request cites nothing there, or something that cannot be looked up. */
export const CITED_STATES = ['none', 'present', 'missing', 'erased'] as const;
export type CitedState = (typeof CITED_STATES)[number];
export type ConsentStanding = 'not_needed' | 'covered' | 'missing' | 'revoked';

/** What was read about a waiting request. */
export interface RecheckFacts {
  /** The time of the check. */
  readonly now: string;
  /** The writes that stood when the request was made, and that stand now. */
  readonly winnerThen: Winner | null;
  readonly winnerNow: Winner | null;
  readonly episode: CitedState;
  /** The states of the entries of the evidence, in their order. */
  readonly evidence: readonly CitedState[];
  readonly isValueErased: boolean;
  readonly consent: ConsentStanding;
  /** True if the present rules flag the value, which was in clear when it was proposed. */
  readonly isFlaggedNow: boolean;
}

/** Says what has changed since a request was made, and what would refuse its approval now. */
export function recheck(request: CheckedRequest, facts: RecheckFacts): readonly RecheckFinding[] {
  const { now, winnerNow, episode, evidence, isValueErased, consent, isFlaggedNow } = facts;
  const source = { timestamp: now, source: request.source };
  const indexesOf = (state: CitedState): readonly number[] =>
    evidence.flatMap((each, index) => (each === state ? [index] : []));
  const [missing, erased] = [indexesOf('missing'), indexesOf('erased')];
  return [
    ...found(now >= request.expires_at, 'overdue'),
    ...factFindings(request, facts),
    ...found(
      request.kind === 'sem_put' && isSuperseded({ winner: winnerNow }, source),
      'would_be_superseded',
    ),
    ...found(episode === 'missing', 'episode_missing'),
    ...found(episode === 'erased', 'episode_erased'),
    ...found(missing.length > 0, 'evidence_missing', missing),
    ...found(erased.length > 0, 'evidence_erased', erased),
    ...found(isValueErased, 'value_erased'),
    ...found(consent === 'missing', 'consent_missing'),
    ...found(consent === 'revoked', 'consent_revoked'),
    ...found(isFlaggedNow, 'personal_data_found'),
  ];
}

const found = (
  isSo: boolean,
  code: RecheckCode,
  evidence?: readonly number[],
): readonly RecheckFinding[] =>
  isSo
    ? [{ code, text: RECHECK_TEXTS[code], ...(evidence === undefined ? {} : { evidence }) }]
    : [];

const factOf = (winner: Winner | null): FactPut | null =>
  winner === null || winner.deleted ? null : winner.fact;

function factFindings(
  request: CheckedRequest,
  { winnerThen, winnerNow }: RecheckFacts,
): readonly RecheckFinding[] {
  const [then, now] = [factOf(winnerThen), factOf(winnerNow)];
  if (now === null) return found(then !== null, 'fact_deleted');
  return [
    ...found(then === null, 'fact_appeared'),
    ...found(then !== null && !isSameFact(then, now), 'fact_changed'),
    ...found(isSameValue(now, request), 'already_true'),
  ];
}

/** Sealed values cannot be compared; their ciphertext is equal only if it is the same write. */
const isSameFact = (then: FactPut, now: FactPut): boolean =>
  isSameValue(then, now) || (isSealed(then) && isSealed(now) && then.sealed.jwe === now.sealed.jwe);

/** Says whether a consent covers a need, or did before it was revoked. */
export function consentStanding(
  state: ConsentState | null,
  need: ConsentNeed,
): Exclude<ConsentStanding, 'not_needed'> {
  if (state === null) return 'missing';
  if (coveringConsent(state, need) !== undefined) return 'covered';
  const consents = state.consents.map((consent) => ({ ...consent, revoked_at: null }));
  return coveringConsent({ ...state, consents }, need) === undefined ? 'missing' : 'revoked';
}
