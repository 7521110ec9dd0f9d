import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { idOfRequestStream } from '../stream-names.js';
import type { ActionRequested, Person } from './events.js';
import { idsOf, isConcerned, isOneOf } from './persons.js';
import type { ActionRequestState } from './state.js';

export const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

export const conflict = (what: string, expected: string, actual: string): Refusal =>
  new Refusal('VERSION_CONFLICT', { what, expected, actual });

export function requireRequest({ stream, request }: ActionRequestState): ActionRequested {
  if (request === null)
    throw new Refusal('NOT_FOUND', { what: 'action request', id: idOfRequestStream(stream) });
  return request;
}

/** Checks that a person may review the request: it was made neither by nor for this person (SPEC G2). */
export function requireReviewer(person: Person, requested: ActionRequested, action: string): void {
  permit(!isConcerned(person, requested), `${action} a request made by or for itself`, 'G2');
}

/** Returns the time of a command in the stored form. @throws Refusal VERSION_CONFLICT after a decision or the expiry. */
export function requirePending(time: string, state: ActionRequestState): string {
  const { expires_at } = requireRequest(state);
  const at = normalizeTimestamp(time);
  const status = state.status === 'pending' && at >= expires_at ? 'expired' : state.status;
  if (status !== 'pending') throw conflict('the request', 'pending', status);
  return at;
}

export const isEditor = (person: Person, { revised }: ActionRequestState): boolean =>
  revised !== undefined && isOneOf(person, idsOf(revised.editor));

export function requireCurrent(
  named: string,
  { proposal_hash }: ActionRequested,
  where: string,
): void {
  if (named !== proposal_hash)
    throw conflict('the proposal', proposal_hash, `another hash in ${where}`);
}
