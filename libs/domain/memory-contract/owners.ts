import { sha256Hex } from '../determinism/hash.js';
import { Refusal } from '../errors/refusal.js';
import type { Space } from './item.js';

/** Whose store each space means for one caller (SPEC M2). */
export type StoreOwners = { readonly [Key in Space]: string };

/** The project of a request that names none: never written, and it reads empty (SPEC M2). */
export const UNKNOWN_PROJECT = 'unknown';

/** An id as it stands in a store's key: trimmed, white space and `:` → `_`, never empty (SPEC M2). */
export const ownerName = (rawId: string): string =>
  rawId.trim().replace(/[\s:]/g, '_') || 'anonymous';

/** First 12 hex of the root's sha256. @throws Refusal INVALID_INPUT for a path that is not absolute. */
function projectOwner(root: string | null): string {
  if (root === null) return UNKNOWN_PROJECT;
  if (!root.startsWith('/'))
    throw new Refusal('INVALID_INPUT', { reason: 'project_root: must be an absolute POSIX path' });
  return sha256Hex(root).slice(0, 12);
}

/**
 * The owners of all spaces. `user_id` is the token's, else the body's; without one the session's id stands
 * for the user: the caller sees to it that no user holds that slug, and who may use which (SPEC M2, I9).
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

/** The stream of the store that has this key. */
export const storeStream = (key: string): string => `memory-${key}`;

export const memoryStream = (space: Space, owner: string): string =>
  storeStream(storeKey(space, owner));

/** Which store a stream is: the inverse of `memoryStream`. */
export function storeOfStream(stream: string): { readonly space: Space; readonly owner: string } {
  const key = stream.slice('memory-'.length);
  const colon = key.indexOf(':');
  return { space: key.slice(0, colon) as Space, owner: key.slice(colon + 1) };
}
