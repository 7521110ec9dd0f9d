import { Buffer } from 'node:buffer';
import { createHash, createHmac, hash } from 'node:crypto';

/** A SHA-256 that takes its input in pieces. */
export interface RunningHash {
  /** Adds the next piece; a text is encoded as UTF-8. */
  update(piece: string | Uint8Array): RunningHash;
  /** An independent copy of the hash in its current state. */
  copy(): RunningHash;
  /** Returns 64 lower-case hex digits. No piece can be added afterwards. */
  digest(encoding: 'hex'): string;
}

/**
 * The domain's hashes use Node's crypto and Buffer, because an append hashes three texts, and pure JavaScript takes
 * five to ten times as long. Browsers get `sha.browser.ts` instead (package.json, `imports`).
 */
export const sha256Hex = (input: string | Uint8Array): string => hash('sha256', input, 'hex');

export const sha1Hex = (input: string | Uint8Array): string => hash('sha1', input, 'hex');

export const hmacSha256Hex = (key: string | Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex');

export const runningSha256 = (): RunningHash => createHash('sha256');

export const utf8Bytes = (text: string): Uint8Array => Buffer.from(text);

/** Returns the number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => Buffer.byteLength(text);
