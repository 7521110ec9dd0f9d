import { sameUser } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import type { JobOwner } from '../job/events.js';
import type { Actor } from '../recorded-event.js';

export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (actor: Actor, ...roles: readonly Role[]): boolean =>
  roles.some((role) => actor.roles.includes(role));

/** The user that a token is bound to: its user_id, or the sub of a user's own token; else undefined. */
export const ownUserId = (actor: Actor): string | undefined =>
  actor.user_id ?? (hasRole(actor, 'user') && !hasRole(actor, 'agent') ? actor.sub : undefined);

/**
 * The user for whom a request acts: the token's user, or the user that the body names if an agent's token
 * has no user (SPEC I9). Null if neither names a user.
 * @throws Refusal PERMISSION_DENIED if the body names another user than the token's.
 */
export function userFor(actor: Actor, named: string | undefined): string | null {
  const own = ownUserId(actor);
  if (named === undefined) return own ?? null;
  const allowed = own === undefined ? hasRole(actor, 'agent') : sameUser(own, named);
  permit(allowed, 'act for another user', 'I9');
  return own ?? named;
}

/** Whether two owners have the same sub, and the same user or both no user (SPEC I9). */
export const sameOwner = (left: JobOwner, right: JobOwner): boolean =>
  left.sub === right.sub &&
  (left.user_id === null || right.user_id === null
    ? left.user_id === right.user_id
    : sameUser(left.user_id, right.user_id));

/** An agent's token without a user may name its users, so it owns the jobs that it started for them. */
const owns = (actor: Actor, owner: JobOwner): boolean => {
  const user = ownUserId(actor) ?? (hasRole(actor, 'agent') ? owner.user_id : null);
  return sameOwner({ sub: actor.sub, user_id: user }, owner);
};

/** Whether the actor may send commands to a job or session: its owner and admins may (SPEC I9). */
export const mayUseJob = (actor: Actor, owner: JobOwner): boolean =>
  hasRole(actor, 'admin') || owns(actor, owner);

/** Whether the actor may read a job or session: as `mayUseJob`, plus auditors and council (SPEC I9). */
export const mayReadJob = (actor: Actor, owner: JobOwner): boolean =>
  mayUseJob(actor, owner) || hasRole(actor, 'auditor', 'council');
