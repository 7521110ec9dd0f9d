import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import { qcpSummary } from '#domain/router/rules.js';
import { foldQuery } from '#domain/router/route.js';
import type { RouteReason } from '#domain/router/rules.js';
import { Metrics } from '../platform/health/metrics.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { RequestIds } from '../platform/http/request-context.js';
import { KEYED_HASH, LOGGER } from '../platform/tokens.js';
import { SYSTEM_VERSION } from '../platform/version.js';

interface RoutedText {
  readonly query_text: string;
  readonly context_tags: JsonObject;
  /** Null, like the reason, if no rule matched. */
  readonly agent_id: string | null;
  readonly route_reason: RouteReason | null;
  readonly sem_snapshot_hash: string;
}

/** Reports texts that no rule matched, so that developers can add rules (002 §Router 5, SPEC R2). */
@Injectable()
export class RouterMisses {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly metrics: Metrics,
  ) {}

  /** Reports the query of a job, if its text was missed. */
  ofQuery(job: JobState, ids: RequestIds): void {
    const { query } = job;
    if (query === undefined) return;
    const noMatch = query.conclusion?.failure?.code === 'ROUTER_NO_MATCH';
    if (query.route === null && !noMatch) return;
    const { agent_id, route_reason } = query.route ?? { agent_id: null, route_reason: null };
    const { sem_snapshot_hash } = startedJob(job).snapshots;
    this.note({ ...query.asked, agent_id, route_reason, sem_snapshot_hash }, ids);
  }

  /**
   * Logs a text that no rule or only the fallback matched, with keyed hashes instead of the text and the tags, and
   * counts a fallback (SPEC R2, P6).
   */
  note(
    { query_text, context_tags, agent_id, route_reason, sem_snapshot_hash }: RoutedText,
    { query_id, trace_id }: RequestIds,
  ): void {
    if (agent_id !== null && route_reason !== 'fallback') return;
    if (agent_id !== null) this.metrics.routerFallbacks.inc();
    this.logger.info({
      type: 'router_miss',
      query_id,
      trace_id,
      agent_id,
      query_hash: this.keyedHash(foldQuery(query_text)),
      context_tags: Object.entries(context_tags).map((tag) => this.keyedHash(tag)),
      qcp_summary: qcpSummary(route_reason),
      sem_snapshot_hash,
      system_version: SYSTEM_VERSION,
    });
  }
}
