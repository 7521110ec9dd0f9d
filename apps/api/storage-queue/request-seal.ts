import { Inject, Injectable } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, type CompactDecryptResult } from 'jose';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { RefusedWrite, RefusedWriteLabel } from '#platform/storage-queue/refused-writes.js';
import { RowMacs } from '#read-model/row-macs.js';
import type { GatedRequest } from '../platform/http/gated-request.js';
import { CONFIG } from '../platform/tokens.js';

const TABLE = 'admin_queue.refused_write';

const labelOf = (write: RefusedWriteLabel): RefusedWriteLabel => {
  const { command_id, command, keyed, caller, stream, route, trace_id, refused_at } = write;
  return { command_id, command, keyed, caller, stream, route, trace_id, refused_at };
};

const isSame = (label: unknown, write: RefusedWriteLabel): boolean =>
  canonicalJson(label) === canonicalJson(labelOf(write));

const derived = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'mace admin queue', 32));

/** Seals requests for the queue (SPEC F2, P5). */
@Injectable()
export class RequestSeal {
  private readonly key: Uint8Array;
  private readonly oldKeys: readonly Uint8Array[];

  constructor(
    @Inject(CONFIG)
    { sealingKey, oldSealingKeys }: Pick<ServiceConfig, 'sealingKey' | 'oldSealingKeys'>,
    private readonly macs: RowMacs,
  ) {
    this.key = derived(sealingKey);
    this.oldKeys = oldSealingKeys.map(derived);
  }

  async seal(request: GatedRequest, label: RefusedWriteLabel): Promise<RefusedWrite> {
    const header = { alg: 'dir', enc: 'A256GCM', label: labelOf(label) };
    const sealed = await new CompactEncrypt(Buffer.from(JSON.stringify(request)))
      .setProtectedHeader(header)
      .encrypt(this.key);
    return { ...label, sealed };
  }

  /**
   * Decrypts a request. Fails if it was sealed with a key that this installation does not have.
   * @throws Refusal INTEGRITY_FAILURE if the label is not the one that was sealed with it
   */
  async open(write: RefusedWrite): Promise<GatedRequest> {
    const { request, label } = await this.decrypt(write);
    // An earlier release sealed the request without its label.
    if (label !== undefined && !isSame(label, write)) throw this.changed(write);
    return request;
  }

  /** True if the label is the one that this installation sealed with the request. */
  async isSealed(write: RefusedWrite): Promise<boolean> {
    const { label } = await this.decrypt(write).catch(() => ({ label: undefined }));
    if (label === undefined) return false;
    const isIntact = isSame(label, write);
    if (!isIntact) this.changed(write);
    return isIntact;
  }

  private async decrypt({ sealed }: RefusedWrite) {
    const { plaintext, protectedHeader } = await this.opened(sealed);
    const request = JSON.parse(Buffer.from(plaintext).toString('utf8')) as GatedRequest;
    return { request, label: protectedHeader['label'] };
  }

  /** Tries the keys in turn, because an entry does not name its key. */
  private async opened(sealed: string): Promise<CompactDecryptResult> {
    for (const key of [this.key, ...this.oldKeys].slice(0, -1)) {
      const result = await compactDecrypt(sealed, key).catch(() => undefined);
      if (result !== undefined) return result;
    }
    return compactDecrypt(sealed, this.oldKeys.at(-1) ?? this.key);
  }

  /** Reports a changed entry, and returns the refusal of its replay. */
  private changed({ stream }: RefusedWrite): Refusal {
    this.macs.report({ table: TABLE, stream, number: 0 });
    const reason = 'a row was changed outside the service';
    return new Refusal('INTEGRITY_FAILURE', { stream: TABLE, number: 0, reason });
  }
}
