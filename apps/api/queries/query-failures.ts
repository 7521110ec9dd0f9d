import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import {
  clearFacts,
  toEnvelope,
  type EnvelopeMeta,
  type ErrorEnvelope,
} from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { Refusal, type RefusalArguments } from '#domain/errors/refusal.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { AgentFailed, Notice } from '#domain/query/events.js';
import { qcpSummary } from '#domain/router/rules.js';
import type { RequestIds } from '../platform/http/request-context.js';
import { repairs } from '#domain/query/state.js';
import { framesOf, LEVELS } from '../platform/errors/failure-log.js';
import { Metrics } from '../platform/health/metrics.js';
import { LOGGER, PRIVACY_RULES } from '../platform/tokens.js';
import { SYSTEM_VERSION } from '../platform/version.js';

type Extra = Readonly<Record<string, unknown>>;

/** Returns a recorded failure as a Refusal. */
export const refusalOfNotice = (
  { code, facts }: Pick<Notice, 'code' | 'facts'>,
  extra?: Extra,
  logged?: Extra,
): Refusal => new Refusal(...([code, facts, extra, logged] as unknown as RefusalArguments));

/** Reports failures within a query to operators, even if the query has an answer (SPEC F3). */
@Injectable()
export class QueryFailures {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  /** Reports an agent's failure when it happens. */
  reportAgentFailure(
    { agent_id, code, attempts }: AgentFailed,
    job: JobState,
    run: RequestIds & { readonly time_ms: number; readonly cause?: unknown },
  ): void {
    this.metrics.agentsDegraded.inc({ agent_id, code });
    const { cause } = run;
    this.logger[LEVELS[ERROR_TABLE[code].severity]]({
      type: 'agent_failed',
      error_code: code,
      agent_id,
      query_id: run.query_id,
      trace_id: run.trace_id,
      time_ms: run.time_ms,
      ...jobFields(job),
      ...(code === 'LLM_SERVICE_DOWN' ? modelFields(attempts) : {}),
      ...(code === 'AGENT_ERROR' && cause instanceof Error ? { stack: framesOf(cause) } : {}),
    });
  }

  /** Reports that a council member has no vote in a round. */
  reportAbsentMember(
    absence: { readonly council_agent_id: string; readonly reason: string },
    job: JobState,
    { query_id, trace_id }: RequestIds,
  ): void {
    const ids = { query_id, trace_id };
    this.logger.warn({ type: 'council_member_absent', ...ids, ...absence, ...jobFields(job) });
  }

  /** Returns a notice as an error envelope. */
  envelopeOf(
    notice: Notice,
    { query_id, trace_id }: Omit<EnvelopeMeta, 'timestamp'>,
  ): ErrorEnvelope {
    const meta = { query_id, timestamp: notice.timestamp, trace_id };
    return toEnvelope(refusalOfNotice(notice), meta, this.rules);
  }

  /** Reports a failure that is a notice in the answer. @param time_ms the time that the query's agents took */
  reportNotice(envelope: ErrorEnvelope, notice: Notice, job: JobState, time_ms: number): void {
    this.metrics.failures.inc({ code: envelope.error_code });
    const { query_id, trace_id } = envelope.meta;
    this.logger[LEVELS[envelope.severity]]({
      type: 'notice',
      error_code: envelope.error_code,
      query_id,
      trace_id,
      time_ms,
      severity: envelope.severity,
      status: envelope.status,
      ...clearFacts(refusalOfNotice(notice).facts, this.rules),
      ...loggedFields(job, notice),
    });
  }
}

const jobFields = (job: JobState): JsonObject => {
  const { job_seed, snapshots } = startedJob(job);
  return {
    job_seed,
    sem_snapshot_hash: snapshots.sem_snapshot_hash,
    qcp_summary: qcpSummary(job.query?.route?.route_reason ?? null),
    system_version: SYSTEM_VERSION,
  };
};

const modelFields = (attempts: AgentFailed['attempts']): JsonObject => ({
  attempts,
  api_key_status: apiKeyStatus(attempts),
  ...(attempts.some(({ failure }) => failure === 'auth') ? { cause: 'AUTH_ERROR' } : {}),
});

/** Returns what the attempts say of the providers' API keys (002 §Failures 6). */
const apiKeyStatus = (attempts: AgentFailed['attempts']): string => {
  if (attempts.length === 0) return 'no_provider_configured';
  return attempts.some(({ failure }) => failure === 'auth') ? 'missing_or_refused' : 'not_refused';
};

const COUNCIL: readonly ErrorCode[] = [
  'COUNCIL_DEADLOCK',
  'LOW_CONFIDENCE',
  'REPAIR_LIMIT_EXCEEDED',
];

/** Returns how many changes the council suggested to agents. Their texts are free, so no log line has them. */
const suggestionsApplied = (query: JobState['query']): number =>
  (query?.judgements ?? [])
    .filter(({ outcome }) => outcome === 'repair')
    .reduce((sum, { suggested_changes }) => sum + suggested_changes.length, 0);

/** Returns the additional fields for the log line of a query's failure (SPEC F3, A1). */
export function loggedFields(job: JobState, { code, facts }: Pick<Notice, 'code' | 'facts'>) {
  const { constants } = startedJob(job);
  const query = job.query;
  const failed = query?.failures.find((failure) => failure.code === code);
  const votes = query?.votes.at(-1)?.votes ?? [];
  return {
    ...jobFields(job),
    query_hash: query?.asked.query_hash ?? null,
    degraded: query?.conclusion?.degraded ?? [],
    agent_id: facts['agent_id'] ?? failed?.agent_id ?? query?.conclusion?.agent_id ?? null,
    ...(failed?.code === 'LLM_SERVICE_DOWN' ? modelFields(failed.attempts) : {}),
    ...((COUNCIL as readonly string[]).includes(code)
      ? {
          votes: votes.map(({ council_agent_id, approve, scores }) => ({
            council_agent_id,
            approve,
            scores,
          })),
          weights: constants.council_weights,
          agent_confidences: (query?.answers ?? []).map(({ agent_id, confidence }) => ({
            agent_id,
            confidence,
          })),
          repair_attempts: query === undefined ? 0 : repairs(query),
          suggestions_applied: suggestionsApplied(query),
        }
      : {}),
  } satisfies JsonObject;
}
