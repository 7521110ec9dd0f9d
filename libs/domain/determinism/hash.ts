import { createHmac, hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** SHA-256 of a UTF-8 text, as 64 lower-case hex digits. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

/** SHA-1 of a UTF-8 text, as 40 lower-case hex digits; only where a key rule asks for it (SPEC K3, K4). */
export const sha1Hex = (text: string): string => hash('sha1', text, 'hex');

/** SHA-256 over the canonical JSON of a value. */
export const hashJson = (value: unknown): string => sha256Hex(canonicalJson(value));

/** HMAC-SHA256 over the canonical JSON of a value: for what a plain hash would let somebody guess (SPEC I7). */
export const keyedHashJson = (key: string | Uint8Array, value: unknown): string =>
  createHmac('sha256', key).update(canonicalJson(value)).digest('hex');
