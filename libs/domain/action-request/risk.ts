import { isSealed } from '../held.js';
import type { ActionRequested } from './events.js';

export type Risk = 'high' | 'medium' | 'low';

/** The kinds of requests whose risk depends on what they propose (SPEC G1). */
const ORDINARY_KINDS: ReadonlySet<string> = new Set(['sem_put']);

/**
 * Returns how careful the review of a request has to be, from recorded facts alone (SPEC G9): `high` for
 * personal data, for a fact that would be overwritten, and for every kind other than `sem_put`; `medium`
 * without evidence; else `low`.
 */
export function riskOf(request: ActionRequested, overwritesFact: boolean): Risk {
  if (isSealed(request) || overwritesFact || !ORDINARY_KINDS.has(request.kind)) return 'high';
  return request.evidence.length === 0 ? 'medium' : 'low';
}
