import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { GatedRequest } from '../platform/http/gated-request.js';

/** Seals requests for the queue (SPEC F2, P5). */
export class RequestSeal {
  private readonly key: Uint8Array;

  constructor(sealingKey: string) {
    this.key = new Uint8Array(hkdfSync('sha256', sealingKey, '', 'mace admin queue', 32));
  }

  seal(request: GatedRequest): Promise<string> {
    return new CompactEncrypt(Buffer.from(JSON.stringify(request)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.key);
  }

  /** Decrypts a request. Fails if it was sealed with another key. */
  async open(sealed: string): Promise<GatedRequest> {
    const { plaintext } = await compactDecrypt(sealed, this.key);
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as GatedRequest;
  }
}
