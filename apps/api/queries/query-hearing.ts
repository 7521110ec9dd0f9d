import type { AgentAnswer, Question } from '#agents/agent.js';
import type { JobCommand } from '#domain/job/commands.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import { repairAsked } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import type { PinnedFacts } from './pinned-facts.js';

/** A query as it stands, and what is known of it here alone. */
export interface Hearer {
  readonly job: JobState;
  readonly query: QueryState;
  readonly facts: PinnedFacts;
  readonly trace_id: string;
  /** The last answer before the gate, which is never recorded: unknown after a crash. */
  readonly raw: AgentAnswer | undefined;
}

/** What was heard, to be recorded. */
export interface Hearing {
  readonly commands: readonly JobCommand[];
  /** Belongs to the run rather than to the query: it stands in metadata (SPEC X1). */
  readonly time_ms: number;
  /** It cost something, or failed, or did something: recorded before anything else is done. */
  readonly atOnce: boolean;
  /** An agent's answer before the gate. */
  readonly raw?: AgentAnswer;
}

/** What is asked of agents and put before the council (SPEC A1, A3). */
export function questionOf({ job, query }: Hearer): Question {
  const repair = repairAsked(query);
  return {
    query_text: query.asked.query_text,
    user_id: startedJob(job).owner.user_id,
    context_tags: query.asked.context_tags,
    route_reason: query.route?.route_reason ?? 'fallback',
    ...(repair === undefined ? {} : { repair }),
  };
}
