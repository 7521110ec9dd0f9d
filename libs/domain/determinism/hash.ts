import { hmacSha256Hex, sha256Hex } from '#domain/determinism/sha.js';
import { canonicalJson } from './canonical-json.js';

export {
  runningSha256,
  sha1Hex,
  sha256Hex,
  utf8Bytes,
  utf8Length,
  type RunningHash,
} from '#domain/determinism/sha.js';

export const hashJson = (value: unknown): string => sha256Hex(canonicalJson(value));

/**
 * Returns the HMAC-SHA256 of a value's canonical JSON, for a value that could be guessed from a plain
 * hash (SPEC I7).
 */
export const keyedHashJson = (key: string | Uint8Array, value: unknown): string =>
  hmacSha256Hex(key, canonicalJson(value));
