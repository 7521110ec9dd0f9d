import { isUserOrEntity } from '../canonical-key/canonical-key.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import { mayReadJob, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { PutFact } from '../sem/decide.js';
import type { ActionRequested } from './events.js';
import type { ActionRequestState } from './state.js';

const withoutHeld = (request: ActionRequested): JsonObject =>
  Object.fromEntries(
    Object.entries(request).filter(([name]) => name !== 'value' && name !== 'sealed'),
  );

/** The answer of `action-requests/{id}` (SPEC §13), with a sealed value redacted (SPEC P3). */
export function requestView(state: ActionRequestState): Json {
  const { request, status, votes, decided_at, rejected_for, link, refusal_code } = state;
  if (request === null) return null;
  return {
    ...withoutHeld(request),
    value: isSealed(request) ? `[REDACTED:${request.sealed.type}]` : request.value,
    status,
    votes: votes.map(({ voter, vote, reason, at }) => ({ voter, vote, reason, at })),
    decided_at,
    rejected_for,
    execution: link,
    refusal_code,
  };
}

/** The proposer, the user it was made for, council, auditors and admins may read it (SPEC G2, I9). */
export function mayReadRequest(actor: Actor, { request }: ActionRequestState): boolean {
  if (request === null) return false;
  if (mayReadJob(actor, request.proposer)) return true;
  const own = ownUserId(actor);
  return own !== undefined && request.made_for !== null && isUserOrEntity(own, request.made_for);
}

/**
 * The single sem_put of an approved request: with the request's source, the approval's time, and the
 * request's id as provenance (SPEC G3).
 * @throws Refusal VERSION_CONFLICT if the request was not approved.
 */
export function approvedPut({ request, status, decided_at, stream }: ActionRequestState): PutFact {
  if (request === null || decided_at === null || status !== 'approved') {
    const [what, expected, actual] = [stream, 'approved', status];
    throw new Refusal('VERSION_CONFLICT', { what, expected, actual });
  }
  const { source, request_id } = request;
  const meta = { provenance_id: request_id };
  const times = { timestamp: decided_at, now: decided_at };
  return { type: 'put', ...heldOf(request), source, notes: null, meta, ...times };
}
