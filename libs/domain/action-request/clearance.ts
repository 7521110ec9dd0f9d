import { parseKey } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { isSealed } from '../held.js';
import { type Finding, isSameFinding } from '../privacy/finding.js';
import type { ActionRequested } from './events.js';
import { targetOf } from './proposal.js';
import type { ActionRequestState, Clearance } from './state.js';

/** So many members say that a finding is not personal data before that counts (SPEC W8). */
const MEMBERS_NEEDED = 2;

/**
 * Returns the findings of a proposed value that members may clear, none for a value in clear (SPEC W8). @throws Refusal
 * PERMISSION_DENIED for a fact of scope `user` and for data of category high, which the secrets have; INVALID_INPUT for a
 * value whose findings are not recorded
 */
export function clearableFindings(request: ActionRequested): readonly Finding[] {
  if (request.kind !== 'sem_put' || !isSealed(request)) return [];
  const isOfUser = parseKey(targetOf(request)).scope === 'user';
  permit(!isOfUser, 'clear a finding in a fact of scope user', 'W8');
  const { finding_category = 'high', findings } = request;
  permit(finding_category !== 'high', 'clear a value with data of category high', 'W8');
  if (findings === undefined)
    throw new Refusal('INVALID_INPUT', {
      reason: 'the places of the findings are not recorded: revise the value, or a part of it',
    });
  return findings;
}

/** A finding of the current value, and who has cleared it. */
export interface FlaggedSpan {
  readonly finding: Finding;
  readonly clearances: readonly Clearance[];
}

/** Returns the recorded findings of the current value, each with those who have cleared it. */
export const flaggedSpans = ({
  request,
  clearances = [],
}: ActionRequestState): readonly FlaggedSpan[] =>
  (request?.findings ?? []).map((finding, number) => ({
    finding,
    clearances: clearances.filter((cleared) => cleared.finding === number),
  }));

/** True if members may clear the findings of the value; whether a vote is still open does not matter. */
export function isClearable({ request }: ActionRequestState): boolean {
  try {
    return request !== null && clearableFindings(request).length > 0;
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    throw cause;
  }
}

/** True if enough members have cleared each finding of the value, so that it needs no consent (SPEC W8). */
export const isCleared = (state: ActionRequestState): boolean =>
  isClearable(state) &&
  flaggedSpans(state).every(({ clearances }) => clearances.length >= MEMBERS_NEEDED);

/** True if a finding is among those that the members have cleared. The present rules may find more than they saw. */
export const isAmongCleared = (state: ActionRequestState, found: Finding): boolean =>
  isCleared(state) && flaggedSpans(state).some(({ finding }) => isSameFinding(finding, found));
