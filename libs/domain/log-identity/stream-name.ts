import { keyedHashJson } from '../determinism/hash.js';
import type { Json } from '../json.js';

/**
 * Returns `<category>-<64 hex digits>`: an HMAC-SHA256 over what the stream belongs to, under the log's naming key. A
 * stream's name cannot be erased, so nothing that a person chose stands in it.
 */
export const streamName = (key: Uint8Array, category: string, parts: readonly Json[]): string =>
  `${category}-${keyedHashJson(key, [category, ...parts])}`;

/** Returns the digest by which two wrapped forms of a naming key are compared. */
export const namingKeyDigest = (key: Uint8Array): string => keyedHashJson(key, 'naming key');
