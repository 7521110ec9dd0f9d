import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { auditStream, semStream } from '#domain/stream-names.js';
import type { SemStreamState } from '#projections/sem/queries.js';
import type { Trace } from '../platform/cache/redis-link.js';
import { Metrics } from '../platform/health/metrics.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { AuditStore } from '../platform/stores.js';
import { AUDIT_STORE, KEYED_HASH, LOGGER } from '../platform/tokens.js';
import { SYSTEM_VERSION } from '../platform/version.js';

const ACTOR = 'system';
const MAX_REPORTED_BYTES = 4 * 1024 * 1024;

/** Reports facts with more than one value in a read model, once per revision (004 F2). Never fails. */
@Injectable()
export class IntegrityWarnings {
  private readonly reported = new LruMap<string, true>({
    maxBytes: MAX_REPORTED_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(AUDIT_STORE) private readonly audit: AuditStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  async tell(key: string, { disputed, fact, revision }: SemStreamState, trace: Trace) {
    const mark = `${key} ${revision}`;
    if (disputed === undefined || this.reported.has(mark)) return;
    this.reported.set(mark, true);
    const stream = semStream(key);
    this.metrics.integrityWarnings.inc({ projection: 'sem' });
    const warning = {
      read_model: 'sem',
      stream,
      values: disputed.values,
      taken_timestamp: fact?.timestamp ?? null,
    };
    this.logger.error({
      type: 'data_integrity_warning',
      ...warning,
      query_id: trace.query_id ?? null,
      trace_id: trace.trace_id,
      system_version: SYSTEM_VERSION,
    });
    const identity = {
      command_id: randomUUID(),
      body_hash: this.keyedHash(warning),
      actor: ACTOR,
      trace_id: trace.trace_id,
    };
    await this.audit
      .execute(auditStream(ACTOR), [{ type: 'record_integrity_warning', ...warning }], identity)
      .catch((cause: unknown) => {
        this.logger.error({ type: 'audit_failed', stream, error: (cause as Error).name });
      });
  }
}
