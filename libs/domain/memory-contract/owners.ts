import { sha256Hex } from '../determinism/hash.js';
import { Refusal } from '../errors/refusal.js';
import type { Space } from './item.js';

/** The owner of each space's store for one request (SPEC M2). */
export type StoreOwners = { readonly [Key in Space]: string };

/** The project of a request without `project_root`. It is never written, so reading it gives nothing (SPEC M2). */
export const UNKNOWN_PROJECT = 'unknown';

/**
 * Returns an id in the form of a store's key: trimmed, with `_` for white space and `:`, and never empty
 * (SPEC M2).
 */
export const ownerName = (rawId: string): string =>
  rawId.trim().replace(/[\s:]/g, '_') || 'anonymous';

/**
 * Returns the first 12 hex digits of the sha256 of the project's root. @throws Refusal INVALID_INPUT for
 * a path that is not absolute.
 */
export function projectOwner(root: string | null): string {
  if (root === null) return UNKNOWN_PROJECT;
  if (!root.startsWith('/'))
    throw new Refusal('INVALID_INPUT', { reason: 'project_root: must be an absolute POSIX path' });
  return sha256Hex(root).slice(0, 12);
}

/**
 * Returns the owners of all spaces. The `user_id` comes from the token, or else from the body; if neither has one,
 * the session's id takes its place. In that case the caller checks that no user has this id. The caller always checks
 * who may use each store (SPEC M2, I9). @throws Refusal INVALID_INPUT for a `project_root` that is not absolute.
 */
export const storeOwners = (ids: {
  readonly session_id: string;
  readonly user_id: string | null;
  readonly project_root: string | null;
}): StoreOwners => ({
  session: ownerName(ids.session_id),
  user: ownerName(ids.user_id ?? ids.session_id),
  project: projectOwner(ids.project_root),
  system: 'system',
});

export const storeKey = (space: Space, owner: string): string => `${space}:${owner}`;
