import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { GatedRequest } from '../platform/http/gated-request.js';

/** A write that was refused because the log was full (SPEC F2). */
export interface RefusedWrite {
  readonly command_id: string;
  /** The command's name, such as `PutFact`, for people. */
  readonly command: string;
  /** The request has an Idempotency-Key: the service replays it without a person. */
  readonly keyed: boolean;
  /** First 16 hex of sha256(sub). */
  readonly caller: string;
  /** The stream that the write was for. */
  readonly stream: string;
  /** The HTTP method and path pattern, without ids. */
  readonly route: string;
  readonly trace_id: string;
  /** ISO 8601 UTC. */
  readonly refused_at: string;
  /**
   * The `GatedRequest` as a compact JWE, sealed with the service's key because it may contain personal data.
   */
  readonly sealed: string;
}

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

  /** Fails if the request was sealed with another key. */
  async open(sealed: string): Promise<GatedRequest> {
    const { plaintext } = await compactDecrypt(sealed, this.key);
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as GatedRequest;
  }
}
