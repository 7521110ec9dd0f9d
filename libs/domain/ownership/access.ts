import { foldUserId, sameUser } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import type { JobOwner } from '../job/events.js';
import type { Actor } from '../recorded-event.js';

export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (actor: Actor, ...roles: readonly Role[]): boolean =>
  roles.some((role) => actor.roles.includes(role));

/**
 * Returns the user to whom a token is bound: its user_id, or the sub if the token is a user's own;
 * otherwise undefined.
 */
export const ownUserId = (actor: Actor): string | undefined =>
  actor.user_id ?? (hasRole(actor, 'user') && !hasRole(actor, 'agent') ? actor.sub : undefined);

/** Returns a caller as events name it: by the token's subject and the user to whom the token is bound. */
export const personOf = (actor: Actor): JobOwner => ({
  sub: actor.sub,
  user_id: ownUserId(actor) ?? null,
});

/**
 * Returns the user for whom a request acts: the token's user or, if an agent's token has no user, the
 * user that the body names (SPEC I9). Null if neither names a user. @throws Refusal PERMISSION_DENIED if
 * the body names another user than the token.
 */
export function userFor(actor: Actor, named: string | undefined): string | null {
  const own = ownUserId(actor);
  if (named === undefined) return own ?? null;
  const allowed = own === undefined ? hasRole(actor, 'agent') : sameUser(own, named);
  permit(allowed, 'act for another user', 'I9');
  return own ?? named;
}

/** True if two owners have the same sub, and the same user or both no user (SPEC I9). */
export const sameOwner = (left: JobOwner, right: JobOwner): boolean =>
  left.sub === right.sub &&
  (left.user_id === null || right.user_id === null
    ? left.user_id === right.user_id
    : sameUser(left.user_id, right.user_id));

/** The owners of everything that an actor owns, for filters of lists (SPEC I9). `owns` decides on one item. */
export interface OwnedBy {
  readonly sub: string;
  /** The owner's user, folded; null for an owner without a user, undefined for any user. */
  readonly user: string | null | undefined;
}

/**
 * Returns the owners of everything that an actor owns. An agent's token without a user may name its users,
 * so it also owns what it started for them.
 */
export function ownedBy(actor: Actor): OwnedBy {
  const own = ownUserId(actor);
  if (own !== undefined) return { sub: actor.sub, user: foldUserId(own) };
  return { sub: actor.sub, user: hasRole(actor, 'agent') ? undefined : null };
}

/** True if the job or session is the actor's own (SPEC I9). */
export const owns = (actor: Actor, owner: JobOwner): boolean => {
  if (owner.sub !== actor.sub) return false;
  const own = ownUserId(actor);
  if (own === undefined) return hasRole(actor, 'agent') || owner.user_id === null;
  return owner.user_id !== null && sameUser(own, owner.user_id);
};

/** True if the actor may send commands to a job or session: its owner and admins may (SPEC I9). */
export const mayUseJob = (actor: Actor, owner: JobOwner): boolean =>
  hasRole(actor, 'admin') || owns(actor, owner);

/** True for admins, auditors and the council, who may read the jobs, logs, requests and memory of every owner. */
export const readsEveryOwner = (actor: Actor): boolean =>
  hasRole(actor, 'admin', 'auditor', 'council');

/** True if the actor may read a job or session: everybody who may use it, auditors and the council (SPEC I9). */
export const mayReadJob = (actor: Actor, owner: JobOwner): boolean =>
  readsEveryOwner(actor) || owns(actor, owner);
