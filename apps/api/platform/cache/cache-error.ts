import type { Logger } from 'pino';
import { developerMessage, ERROR_TABLE } from '#domain/errors/error-table.js';
import type { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import type { Metrics } from '../health/metrics.js';
import { SYSTEM_VERSION } from '../version.js';
import type { Trace } from './redis-link.js';

const CODE = 'CACHE_ERROR';

/**
 * Logs and counts CACHE_ERROR; clients never see it, because the service works without the cache (SPEC S9,
 * F3).
 */
export const cacheErrorLog =
  (logger: Logger, metrics: Metrics, facts: Pick<SemSnapshots, 'latestHash'>) =>
  (reason: string, trace: Trace | undefined): void => {
    const { severity, status } = ERROR_TABLE[CODE];
    metrics.failures.inc({ code: CODE });
    logger.warn({
      type: 'error',
      error_code: CODE,
      query_id: trace?.query_id ?? null,
      trace_id: trace?.trace_id ?? null,
      agent_id: null,
      time_ms: null,
      sem_snapshot_hash: facts.latestHash ?? null,
      qcp_summary: null,
      system_version: SYSTEM_VERSION,
      severity,
      status,
      reason,
      developer_message: developerMessage(CODE, { reason }),
    });
  };
