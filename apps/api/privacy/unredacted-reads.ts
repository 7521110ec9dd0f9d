import { Inject, Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { hasRole } from '#domain/ownership/access.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import type { Actor } from '#domain/recorded-event.js';
import { randomUUID } from 'node:crypto';
import { auditStream } from '#domain/stream-names.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { AuditStore } from '../platform/stores.js';
import { AUDIT_STORE, KEYED_HASH } from '../platform/tokens.js';
import type { ReadContext } from './read-context.decorator.js';
import { PrivacyGate } from './privacy-gate.js';

/** A stream that is read unredacted, at its latest version or an earlier one. */
interface ReadData {
  readonly stream: string;
  readonly version?: number | undefined;
}

/** Lets admins and the council read personal data, and records each such read before the answer (SPEC G7). */
@Injectable()
export class UnredactedReads {
  constructor(
    @Inject(AUDIT_STORE) private readonly audit: AuditStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Returns true if the caller asked for personal data and may see it. @throws Refusal PERMISSION_DENIED for a caller
   * that is neither an admin nor of the council, PRIVACY_BLOCKED for a reason that cannot be scanned, and
   * MEMORY_WRITE_FAIL if the read cannot be recorded
   */
  async allow(
    actor: Actor,
    asked: 'true' | undefined,
    { stream, version }: ReadData,
    { reason, trace_id }: ReadContext,
  ): Promise<boolean> {
    if (asked === undefined) return false;
    permit(hasRole(actor, 'admin', 'council'), 'read personal data unredacted', 'G7');
    const read = { stream, version: version ?? null, ...(await this.gated(reason)) };
    await this.audit.execute(auditStream(actor.sub), [{ type: 'record_access', ...read }], {
      command_id: randomUUID(),
      body_hash: this.keyedHash(read),
      actor: actor.sub,
      trace_id,
    });
    return true;
  }

  /** Returns the reason as the log may hold it (SPEC P3). */
  private async gated(given: string | undefined) {
    if (given === undefined) return {};
    const redactor = this.gate.redactor();
    const reason = redactor.text(given, 'reason');
    return this.gate.beyondRules({ reason, ...redactionsOf(redactor.redactions) });
  }
}
