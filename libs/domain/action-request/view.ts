import { entityIdOf, foldUserId, isUserOrEntity } from '../canonical-key/canonical-key.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, isSealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import { mayReadJob, ownedBy, type OwnedBy, ownUserId } from '../ownership/access.js';
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

/** The requests that an actor may read if it does not read those of every owner (SPEC G2, I9). */
export interface ReadableRequests {
  /** Selects the requests that the actor has proposed. */
  readonly proposer: OwnedBy;
  /** Selects the requests that concern the actor's user: the raw id, folded, and the entity id. */
  readonly made_for: { readonly user: string; readonly entity: string | null } | null;
}

export function requestsReadableBy(actor: Actor): ReadableRequests {
  const own = ownUserId(actor);
  const proposer = ownedBy(actor);
  if (own === undefined) return { proposer, made_for: null };
  return { proposer, made_for: { user: foldUserId(own), entity: entityIdOf(own) ?? null } };
}

/**
 * True for the proposer, the user whom the request concerns, the council, auditors and admins (SPEC G2,
 * I9).
 */
export function mayReadRequest(actor: Actor, { request }: ActionRequestState): boolean {
  if (request === null) return false;
  if (mayReadJob(actor, request.proposer)) return true;
  const own = ownUserId(actor);
  return own !== undefined && request.made_for !== null && isUserOrEntity(own, request.made_for);
}

/**
 * Returns the one sem_put that executes an approved request. It has the request's source, the time of
 * the approval, and the request's id as provenance (SPEC G3). @throws Refusal VERSION_CONFLICT if the
 * request was not approved.
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
