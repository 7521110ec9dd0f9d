import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { auditStream } from '#domain/audit/audit.decider.js';
import type { JobReplayed } from '#domain/audit/events.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ReplayReport } from '#domain/replay/stream-replay.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import type { AuditStore } from '../platform/stores.js';
import { AUDIT_STORE, KEYED_HASH, LOGGER } from '../platform/tokens.js';

/** How a replay ended; a failure of its own, beside that of the report, is a missing snapshot (SPEC X2). */
export interface EndedReplay {
  readonly report: ReplayReport;
  readonly code: JobReplayed['code'];
}

/**
 * Records who replayed which job, and how it ended, in the audit stream of the caller. The stream of the job does not
 * change (SPEC X2).
 */
@Injectable()
export class ReplayRecords {
  constructor(
    @Inject(AUDIT_STORE) private readonly audit: AuditStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never fails: the caller gets the report also if the log is full or cannot be reached. */
  async record(actor: Actor, { report, code }: EndedReplay, trace_id: string): Promise<void> {
    const { stream, mode, identical, events_checked, head_hash, content_hash } = report;
    const diverged_at = report.divergence?.number ?? null;
    const checked = { events_checked, head_hash, content_hash, diverged_at };
    const replayed: JobReplayed = { stream, mode, identical, code, ...checked };
    try {
      await this.audit.execute(auditStream(actor.sub), [{ type: 'record_replay', ...replayed }], {
        command_id: randomUUID(),
        body_hash: this.keyedHash(replayed),
        actor: actor.sub,
        trace_id,
      });
    } catch (error) {
      const { name } = error as Error;
      this.logger.error({ type: 'replay_not_recorded', trace_id, stream, error: name });
    }
  }
}
