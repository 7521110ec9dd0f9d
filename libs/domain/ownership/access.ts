import { sameUser } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import type { JobOwner } from '../job/events.js';
import type { Actor } from '../recorded-event.js';

export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

export const hasRole = (actor: Actor, ...roles: readonly Role[]): boolean =>
  roles.some((role) => actor.roles.includes(role));

/** The user whom a token binds its bearer to: its user_id, else, of a user's own token, its sub. */
export const ownUserId = (actor: Actor): string | undefined =>
  actor.user_id ?? (hasRole(actor, 'user') && !hasRole(actor, 'agent') ? actor.sub : undefined);

/**
 * The user for whom a request acts: the token's, or, for an agent's token without one, whom the body names
 * (SPEC I9). Null where there is none.
 * @throws Refusal PERMISSION_DENIED if the body names somebody else's user.
 */
export function userFor(actor: Actor, named: string | undefined): string | null {
  const own = ownUserId(actor);
  if (named === undefined) return own ?? null;
  const allowed = own === undefined ? hasRole(actor, 'agent') : sameUser(own, named);
  permit(allowed, 'act for another user', 'I9');
  return own ?? named;
}

/** The same sub, acting for the same user or for none (SPEC I9). */
export const sameOwner = (left: JobOwner, right: JobOwner): boolean =>
  left.sub === right.sub &&
  (left.user_id === null || right.user_id === null
    ? left.user_id === right.user_id
    : sameUser(left.user_id, right.user_id));

/** An agent's token without a user may act for users it names: so also in a job that it started for one. */
const owns = (actor: Actor, owner: JobOwner): boolean => {
  const user = ownUserId(actor) ?? (hasRole(actor, 'agent') ? owner.user_id : null);
  return sameOwner({ sub: actor.sub, user_id: user }, owner);
};

/** Commands on a job or session: its owner and admins (SPEC I9). */
export const mayUseJob = (actor: Actor, owner: JobOwner): boolean =>
  hasRole(actor, 'admin') || owns(actor, owner);

/** Reading a job or session: also auditors and the council (SPEC I9). */
export const mayReadJob = (actor: Actor, owner: JobOwner): boolean =>
  mayUseJob(actor, owner) || hasRole(actor, 'auditor', 'council');
