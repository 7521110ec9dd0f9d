import { sameUser, userSlug } from '../canonical-key/canonical-key.js';
import { SEED_PATTERN } from '../determinism/ids.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import type { JobOwner } from '../job/events.js';
import { SPACES, type Space } from '../memory-contract/item.js';
import { ownerName, type StoreOwners } from '../memory-contract/owners.js';
import type { Actor } from '../recorded-event.js';
import { ownerStream, sessionStream } from '../stream-names.js';
import { mayReadJob, mayUseJob, ownUserId, readsEveryOwner } from './access.js';
import { mayUseSlug, sessionUserId, SESSION_USER_PREFIX } from './owner.decider.js';

/** A request to the Memory Contract: the caller, and the owners of the stores that it uses. */
interface StoreUse {
  readonly actor: Actor;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly owners: StoreOwners;
}

/** The claims on the stores of a request; null for each name that nobody has claimed. */
export interface StoreClaims {
  readonly session: JobOwner | null;
  /** The raw ids that own the names of the session's and the user's store. */
  readonly names: { readonly session: string | null; readonly user: string | null };
  /** The user who owns the slug of the session's id; only for a session without a user. */
  readonly slug_holder: string | null;
}

/**
 * Returns the stream of a session's claim. If the id is also valid for a session of jobs, this is the
 * same stream that jobs use (SPEC I4, M2).
 */
export const sessionClaimStream = (sessionId: string): string =>
  sessionStream(SEED_PATTERN.test(sessionId) ? sessionId : ownerName(sessionId));

/** Returns the owner stream of the slug of a session's id; undefined if the slug is empty. */
export function slugClaimStream(sessionId: string): string | undefined {
  try {
    userSlug(sessionId);
    return ownerStream(sessionId);
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

/**
 * Checks that a request may use the stores of its session and its user (SPEC I9, M2).
 * @throws Refusal PERMISSION_DENIED if one of them belongs to another owner.
 */
export function requireStoreUse(use: StoreUse, claims: StoreClaims): void {
  const { actor, session_id, user_id, owners } = use;
  requireStoreName('session', owners.session, session_id, claims.names.session);
  requireStoreName('user', owners.user, user_id ?? sessionUserId(session_id), claims.names.user);
  // A session without a user may use the user store that has the session's id as its name, if no user
  // has that name (SPEC M2).
  if (user_id === null)
    permit(claims.slug_holder === null, `stand in for the user ${owners.user}`, 'I9');
  const allowed = claims.session === null || mayUseJob(actor, claims.session);
  permit(allowed, `use session ${owners.session}`, 'I9');
}

/** Checks a store's name. @throws Refusal PERMISSION_DENIED if another raw id owns it. */
export function requireStoreName(
  space: 'session' | 'user',
  owner: string,
  rawId: string,
  holder: string | null,
): void {
  const slug = `${space}:${owner}`;
  permit(mayUseSlug({ slug, raw_id: holder }, rawId), `use the owner ${slug}`, 'I9');
}

/** The spaces in which an actor may read stores (SPEC I9). */
export const readableSpaces = (actor: Actor): readonly Space[] =>
  readsEveryOwner(actor) ? SPACES : ['session', 'user'];

/**
 * True if an actor may read every store of a space. If false, the claim of each store decides (SPEC I9).
 * @throws Refusal PERMISSION_DENIED if the actor may read no store of the space.
 */
export function readsWholeSpace(actor: Actor, space: Space, owner: string): boolean {
  if (space === 'session') return false;
  if (readsEveryOwner(actor)) return true;
  permit(readableSpaces(actor).includes(space), `read the memory of ${space} ${owner}`, 'I9');
  return false;
}

/**
 * Returns the id of the session without a user that claimed this user store; undefined if a user owns
 * the store's name.
 */
export const sessionOfUserId = (holder: string | null): string | undefined =>
  holder?.startsWith(SESSION_USER_PREFIX) ? holder.slice(SESSION_USER_PREFIX.length) : undefined;

/**
 * Checks that an actor may read a session's store (SPEC I9).
 * @throws Refusal PERMISSION_DENIED, and NOT_FOUND for a session without a claim.
 */
export function requireSessionRead(actor: Actor, owner: string, claimed: JobOwner | null): void {
  if (claimed === null) throw new Refusal('NOT_FOUND', { what: 'memory of session', id: owner });
  permit(mayReadJob(actor, claimed), `read the memory of session ${owner}`, 'I9');
}

/**
 * Checks that an actor may read a user's store; `holder` is the raw user id that claimed the store's
 * name (SPEC I9). @throws Refusal PERMISSION_DENIED if the store belongs to another user.
 */
export function requireUserRead(actor: Actor, owner: string, holder: string | null): void {
  const own = ownUserId(actor);
  if (own === undefined) return;
  permit(sameUser(ownerName(own), owner), `read the memory of user ${owner}`, 'I9');
  requireStoreName('user', owner, own, holder);
}
