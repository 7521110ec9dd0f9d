import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics at /metrics. No label contains an id or a value that a caller chose (SPEC P6). */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly httpDuration = new Histogram({
    name: 'mace_http_request_duration_seconds',
    help: 'Duration of requests by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly commands = new Counter({
    name: 'mace_commands_total',
    help: 'Dispatched commands by type.',
    labelNames: ['type'] as const,
    registers: [this.registry],
  });
  readonly eventsAppended = new Counter({
    name: 'mace_events_appended_total',
    help: 'Events that this process appended, by stream category.',
    labelNames: ['category'] as const,
    registers: [this.registry],
  });
  readonly eventStreams = new Gauge({
    name: 'mace_event_streams',
    help: 'Open streams of server-sent events.',
    registers: [this.registry],
  });
  readonly semKeys = new Gauge({
    name: 'mace_sem_keys',
    help: 'Current facts, by scope.',
    labelNames: ['scope'] as const,
    registers: [this.registry],
  });
  readonly failures = new Counter({
    name: 'mace_failures_total',
    help: 'Errors returned to callers, instead of an answer or as a notice, by error code.',
    labelNames: ['code'] as const,
    registers: [this.registry],
  });
  readonly agentsDegraded = new Counter({
    name: 'mace_agents_degraded_total',
    help: 'Agents that failed within a query, by agent and failure.',
    labelNames: ['agent_id', 'code'] as const,
    registers: [this.registry],
  });
  readonly modelAttempts = new Counter({
    name: 'mace_language_model_attempts_total',
    help: 'Attempts at language models, by provider and outcome.',
    labelNames: ['provider', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly routerFallbacks = new Counter({
    name: 'router_fallback_count',
    help: 'Queries that matched no routing rule and went to the generic agent.',
    registers: [this.registry],
  });
  readonly cacheLookups = new Counter({
    name: 'mace_cache_lookups_total',
    help: 'Look-ups of facts in the cache; stale: the log had a newer event than the entry; down: Redis did not answer.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly integrityWarnings = new Counter({
    name: 'mace_data_integrity_warnings_total',
    help: 'Keys for which a read model held more than one value.',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly changedRows = new Counter({
    name: 'mace_changed_rows_total',
    help: 'Reads of a row or cache entry that was changed outside the service, by table.',
    labelNames: ['table'] as const,
    registers: [this.registry],
  });
  readonly differentRows = new Gauge({
    name: 'mace_different_rows',
    help: 'Rows that the last comparison of a read model with the log found changed, missing or extra, by table.',
    labelNames: ['table', 'difference'] as const,
    registers: [this.registry],
  });
  readonly semWriteFailuresInARow = new Gauge({
    name: 'mace_sem_write_failures_in_a_row',
    help: 'SEM_WRITE_FAIL errors since the last successful write; critical from the third on.',
    registers: [this.registry],
  });
  readonly refusedWrites = new Counter({
    name: 'mace_refused_writes_total',
    help: 'Writes refused because the log was full, by outcome: kept, lost or replayed.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly waitingWrites = new Gauge({
    name: 'mace_refused_writes_waiting',
    help: 'Refused writes that wait for free space or for an operator.',
    registers: [this.registry],
  });
  readonly reviewNotices = new Counter({
    name: 'mace_review_notices_total',
    help: 'Attempts to post a notice of a waiting request to the review webhook, by notice and outcome.',
    labelNames: ['notice', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly auditOverflow = new Counter({
    name: 'mace_audit_uncounted_total',
    help: 'Refused commands beyond 60 per minute and caller, which are not recorded.',
    registers: [this.registry],
  });
  readonly projectionPosition = new Gauge({
    name: 'mace_projection_position',
    help: 'The commit position that a read model has reached.',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly projectionLag = new Gauge({
    name: 'mace_projection_lag_positions',
    help: "How far a read model's position is behind the end of the log: in bytes on EventStoreDB, in events on the embedded node.",
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly projectionLagSeconds = new Gauge({
    name: 'mace_projection_lag_seconds',
    help: 'The age of the oldest event that a read model does not show yet; 0 if it shows the whole log.',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly projectionStopped = new Gauge({
    name: 'mace_projection_stopped',
    help: '1 if a read model has stopped at an event or a checkpoint that it cannot project.',
    labelNames: ['projection'] as const,
    registers: [this.registry],
  });
  readonly logsQuarantined = new Counter({
    name: 'mace_reflective_logs_quarantined_total',
    help: 'Quarantined logs and rows by fault; every fault except submitted needs an operator.',
    labelNames: ['fault'] as const,
    registers: [this.registry],
  });
  readonly integrityFindings = new Gauge({
    name: 'mace_integrity_findings',
    help: 'Events that failed the last verification of the event log, by category and problem.',
    labelNames: ['category', 'problem'] as const,
    registers: [this.registry],
  });
  readonly checkpointFailures = new Counter({
    name: 'mace_checkpoint_failures_total',
    help: 'Checkpoints of the log that were not made, and tries of a place to keep one that failed.',
    labelNames: ['result'] as const,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}
