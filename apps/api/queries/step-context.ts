import type { AgentAnswer, Question } from '#agents/agent.js';
import type { JobCommand } from '#domain/job/commands.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import { requestedRepair } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import type { RequestIds } from '../platform/http/request-context.js';
import type { PinnedFacts } from './pinned-facts.js';

/** The state of a query, and what only this process knows of the query. */
export interface StepContext {
  readonly job: JobState;
  readonly query: QueryState;
  readonly facts: PinnedFacts;
  readonly ids: RequestIds;
  /** The last answer before redaction, which is never recorded; undefined after a crash. */
  readonly raw: AgentAnswer | undefined;
}

/** The result of a step, before it is recorded. */
export interface StepResult {
  readonly commands: readonly JobCommand[];
  /**
   * The duration in ms. It is recorded as metadata, because it belongs to the run of the query (SPEC
   * X1).
   */
  readonly time_ms: number;
  /**
   * True if the result must be recorded before the next step, because it was expensive, was a failure,
   * or had an effect.
   */
  readonly mustRecordNow: boolean;
  /** The agent's answer before redaction. */
  readonly raw?: AgentAnswer;
}

/** Returns the question for agents and the council (SPEC A1, A3). */
export function questionOf({ job, query }: StepContext): Question {
  const repair = requestedRepair(query);
  return {
    query_text: query.asked.query_text,
    user_id: startedJob(job).owner.user_id,
    context_tags: query.asked.context_tags,
    route_reason: query.route?.route_reason ?? 'fallback',
    ...(query.asked.asks_for === undefined ? {} : { asks_for: query.asked.asks_for }),
    ...(repair === undefined ? {} : { repair }),
  };
}
