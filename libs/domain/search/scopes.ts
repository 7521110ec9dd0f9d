import { entityIdOf, foldUserId, parseKey } from '../canonical-key/canonical-key.js';
import type { JobOwner } from '../job/events.js';
import type { Space } from '../memory-contract/item.js';
import { hasRole, ownUserId, readsEveryOwner } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';

/**
 * A set of entries that the same callers may read: a caller reads either all entries of a scope or none. The
 * statistics of a search are those of the scopes that the caller may read (SPEC Q3).
 */
export type Scope = string;

/** Episodes of jobs without a user, and facts outside scope `user`: everybody may read them (SPEC E2, S1). */
const PUBLIC_SCOPE: Scope = 'public';

/** The episodes of a user's jobs (SPEC E2). */
const userScope = (userId: string): Scope => `user:${foldUserId(userId)}`;

/** The facts about a user (SPEC S1). */
const entityScope = (entityId: string): Scope => `entity:${entityId}`;

const ownerName = ({ sub, user_id }: JobOwner): string =>
  `${encodeURIComponent(sub)}:${user_id === null ? '' : `u${encodeURIComponent(foldUserId(user_id))}`}`;

/** The memory of the jobs of an owner (SPEC I9). */
export const jobScope = (owner: JobOwner): Scope => `job:${ownerName(owner)}`;

/** The stores of the Memory Contract that belong to the sessions of an owner (SPEC I9, M2). */
export const sessionScope = (owner: JobOwner): Scope => `session:${ownerName(owner)}`;

/** The store of a space of the Memory Contract; of a user, `owner` is the raw id that claimed the store (SPEC M2). */
export const storeScope = (space: Exclude<Space, 'session'>, owner: string): Scope =>
  `store:${space}:${space === 'user' ? foldUserId(owner) : owner}`;

/** The notes of an owner, in the form in which notes name it (SPEC N1). */
export const noteScope = (owner: string): Scope => `note:${owner}`;

/** The memories of a person that are sealed under a key: they leave the index with it (SPEC W2). */
export const memoryScope = (kid: string): Scope => `memory:${kid}`;

/** Begins the scopes of all cleared facts. */
export const CLEARED_FACTS = 'cleared:';

/** A fact that the council has cleared, which everybody may read: it leaves the index with its key (SPEC W8). */
export const clearedFactScope = (kid: string): Scope => `${CLEARED_FACTS}${kid}`;

export const episodeScope = ({ user_id }: JobOwner): Scope =>
  user_id === null ? PUBLIC_SCOPE : userScope(user_id);

export function factScope(key: string): Scope {
  const { scope, entity_id } = parseKey(key);
  return scope === 'user' ? entityScope(entity_id) : PUBLIC_SCOPE;
}

/** Returns the scopes of the episodes that are visible to a user, or to everybody else without one (SPEC E2). */
export const episodeScopes = (
  visibleTo: 'all' | { readonly userId: string | null },
): ReadableScopes => {
  if (visibleTo === 'all') return { exact: [PUBLIC_SCOPE], prefixes: ['user:'] };
  const { userId } = visibleTo;
  return {
    exact: userId === null ? [PUBLIC_SCOPE] : [PUBLIC_SCOPE, userScope(userId)],
    prefixes: [],
  };
};

/** The scopes that a caller may read: those named, and those that begin with one of the prefixes. */
export interface ReadableScopes {
  readonly exact: readonly Scope[];
  readonly prefixes: readonly string[];
}

/** What decides on a caller's scopes, beside its token. */
export interface ReadableNames {
  readonly ownsSlug: boolean;
  readonly noteOwner: string;
  readonly project: string | null;
}

export const mayReadScope = ({ exact, prefixes }: ReadableScopes, scope: Scope): boolean =>
  exact.includes(scope) || prefixes.some((prefix) => scope.startsWith(prefix));

/**
 * Returns the scopes that a caller may read. An agent's token without a user reads no user's facts and memory: it names
 * the user, and then `actor` has it. They are exactly those that the routes of each kind show the caller:
 * `episodes/query` (SPEC E2), `sem` (S1), `memory` and `memory/recall` (I9, M2), `jobs` (I9) and `notes` (N1).
 * @param ownsSlug false if another raw id owns the slug of the caller's user, whose facts and items are then not the
 * caller's
 * @param noteOwner the owner of the caller's notes
 * @param project the owner of the project store that the caller names; null without one
 */
export function readableScopes(
  actor: Actor,
  { ownsSlug, noteOwner, project }: ReadableNames,
): ReadableScopes {
  if (readsEveryOwner(actor))
    return {
      exact: [PUBLIC_SCOPE],
      prefixes: [CLEARED_FACTS, 'user:', 'entity:', 'job:', 'session:', 'store:', 'note:'],
    };
  const own = ownUserId(actor);
  const isAgent = hasRole(actor, 'agent');
  const exact = [PUBLIC_SCOPE, noteScope(noteOwner)];
  const prefixes: string[] = [CLEARED_FACTS];
  const addOwner = (scopeOf: (owner: JobOwner) => Scope): void => {
    const scope = scopeOf({ sub: actor.sub, user_id: own ?? null });
    // An agent's token without a user also owns what it started for its users.
    if (own === undefined && isAgent) prefixes.push(scope);
    else exact.push(scope);
  };
  addOwner(jobScope);
  if (isAgent) {
    addOwner(sessionScope);
    exact.push(storeScope('system', 'system'));
    if (project !== null) exact.push(storeScope('project', project));
  }
  if (own !== undefined) {
    exact.push(userScope(own));
    const entity = entityIdOf(own);
    if (ownsSlug && entity !== undefined) exact.push(entityScope(entity));
    if (ownsSlug && isAgent) exact.push(storeScope('user', own));
  }
  return { exact, prefixes };
}
