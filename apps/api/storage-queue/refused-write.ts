import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { GatedRequest } from '../platform/http/gated-request.js';

/** A write that was refused because the log was full (SPEC F2). */
export interface RefusedWrite {
  readonly command_id: string;
  /** The name of the command, such as `PutFact`, for people. */
  readonly command: string;
  /**
   * True if the request has an Idempotency-Key. The service then replays it without a person's decision.
   */
  readonly keyed: boolean;
  /** The first 16 hex digits of sha256(sub). */
  readonly caller: string;
  /** The stream to which the write belongs. */
  readonly stream: string;
  /** The HTTP method and path pattern, without ids. */
  readonly route: string;
  readonly trace_id: string;
  /** The time of the refusal, ISO 8601 UTC. */
  readonly refused_at: string;
  /**
   * The `GatedRequest` as a compact JWE. It is sealed with the service's key, because it may contain
   * personal data.
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

  /** Decrypts a request. Fails if it was sealed with another key. */
  async open(sealed: string): Promise<GatedRequest> {
    const { plaintext } = await compactDecrypt(sealed, this.key);
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as GatedRequest;
  }
}
