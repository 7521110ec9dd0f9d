import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';

/** A command of the bus: its class by name, and its fields. */
export interface KeptCommand {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>> & { readonly identity: RequestIdentity };
}

/** A write that found no room, as it waits for some (SPEC F2). */
export interface RefusedWrite {
  readonly command_id: string;
  /** The command's name, such as `PutFact`. */
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
  /** The command: a compact JWE under a key of the service, since it may hold what the gate would seal. */
  readonly sealed: string;
}

/** Seals commands for their time in the queue (SPEC F2, P5). */
export class CommandSeal {
  private readonly key: Uint8Array;

  constructor(sealingKey: string) {
    this.key = new Uint8Array(hkdfSync('sha256', sealingKey, '', 'mace admin queue', 32));
  }

  seal(command: KeptCommand): Promise<string> {
    return new CompactEncrypt(Buffer.from(JSON.stringify(command)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.key);
  }

  /** Fails where it was sealed under another key. */
  async open(sealed: string): Promise<KeptCommand> {
    const { plaintext } = await compactDecrypt(sealed, this.key);
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as KeptCommand;
  }
}
