import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { GatedRequest } from '../platform/http/gated-request.js';

/** A write that found no room, as it waits for some (SPEC F2). */
export interface RefusedWrite {
  readonly command_id: string;
  /** What was asked for, by the name of its command, such as `PutFact`: for people. */
  readonly command: string;
  /** It came with an Idempotency-Key: it is replayed by itself when there is room. */
  readonly keyed: boolean;
  /** First 16 hex of sha256(sub). */
  readonly caller: string;
  /** The stream that had no room for it. */
  readonly stream: string;
  /** Method and pattern, without ids. */
  readonly route: string;
  readonly trace_id: string;
  /** ISO 8601 UTC. */
  readonly refused_at: string;
  /** The `GatedRequest`: a compact JWE under a key of the service, since it may hold personal data. */
  readonly sealed: string;
}

/** Seals requests for their time in the queue (SPEC F2, P5). */
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

  /** Fails where it was sealed under another key. */
  async open(sealed: string): Promise<GatedRequest> {
    const { plaintext } = await compactDecrypt(sealed, this.key);
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as GatedRequest;
  }
}
