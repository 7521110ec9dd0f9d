import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RunningHash } from './sha.js';

export type { RunningHash };

const UTF8 = new TextEncoder();

export const utf8Bytes = (text: string): Uint8Array => UTF8.encode(text);

export const utf8Length = (text: string): number => utf8Bytes(text).length;

const bytesOf = (input: string | Uint8Array): Uint8Array =>
  typeof input === 'string' ? utf8Bytes(input) : input;

/** These are the functions of `sha.ts` in pure JavaScript. Bundlers for browsers use this file instead. */
export const sha256Hex = (input: string | Uint8Array): string => bytesToHex(sha256(bytesOf(input)));

export const sha1Hex = (input: string | Uint8Array): string => bytesToHex(sha1(bytesOf(input)));

export const hmacSha256Hex = (key: string | Uint8Array, text: string): string =>
  bytesToHex(hmac(sha256, bytesOf(key), bytesOf(text)));

class NobleHash implements RunningHash {
  constructor(private readonly state: ReturnType<typeof sha256.create>) {}

  update(piece: string | Uint8Array): this {
    this.state.update(bytesOf(piece));
    return this;
  }

  copy(): NobleHash {
    return new NobleHash(this.state.clone());
  }

  digest(): string {
    return bytesToHex(this.state.digest());
  }
}

export const runningSha256 = (): RunningHash => new NobleHash(sha256.create());
