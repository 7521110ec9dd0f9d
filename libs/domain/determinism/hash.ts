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

/** SHA-256 over the canonical JSON of a value. */
export const hashJson = (value: unknown): string => sha256Hex(canonicalJson(value));

/** HMAC-SHA256 over the canonical JSON of a value that could be guessed from a plain hash (SPEC I7). */
export const keyedHashJson = (key: string | Uint8Array, value: unknown): string =>
  hmacSha256Hex(key, canonicalJson(value));
