import type { AgentId, RouteReason } from '../router/rules.js';
import type {
  AgentAnswered,
  AgentFailed,
  AnswerJudged,
  AnswerVerified,
  Conclusion,
  ConfirmationMet,
  CouncilVoted,
  QueryAsked,
  QueryEvent,
} from './events.js';

/** The folded state of a job's query. Immutable. */
export type QueryState = {
  readonly asked: QueryAsked;
  /** The route; null before `router_decision`, and always null if no rule matched. */
  readonly route: { readonly agent_id: AgentId; readonly route_reason: RouteReason } | null;
  readonly answers: readonly AgentAnswered[];
  readonly failures: readonly (AgentFailed & { readonly event_number: number })[];
  /** The votes in the order of the rounds. */
  readonly votes: readonly CouncilVoted[];
  readonly verifications: readonly AnswerVerified[];
  readonly judgements: readonly AnswerJudged[];
  readonly met: ConfirmationMet | null;
  readonly conclusion: Conclusion | null;
};

const askedQuery = (asked: QueryAsked): QueryState => ({
  asked,
  route: null,
  answers: [],
  failures: [],
  votes: [],
  verifications: [],
  judgements: [],
  met: null,
  conclusion: null,
});

/** Returns the state of the query. @throws TypeError for an event before `query_asked`. */
function existing(query: QueryState | undefined, { type }: QueryEvent): QueryState {
  if (query === undefined) throw new TypeError(`${type} comes before query_asked`);
  return query;
}

/** Folds one event; `event_number` is its number in the job's stream. */
export function evolveQuery(
  before: QueryState | undefined,
  event: QueryEvent,
  event_number: number,
): QueryState {
  if (event.type === 'query_asked') return askedQuery(event.data);
  const query = existing(before, event);
  switch (event.type) {
    case 'router_decision': {
      const { agent_id, route_reason } = event.data;
      const isRouted = agent_id !== null && route_reason !== null;
      return { ...query, route: isRouted ? { agent_id, route_reason } : null };
    }
    case 'agent_answered':
      return { ...query, answers: [...query.answers, event.data] };
    case 'agent_failed':
      return { ...query, failures: [...query.failures, { ...event.data, event_number }] };
    case 'council_voted':
      return { ...query, votes: [...query.votes, event.data] };
    case 'answer_verified':
      return { ...query, verifications: [...query.verifications, event.data] };
    case 'answer_judged':
      return { ...query, judgements: [...query.judgements, event.data] };
    case 'confirmation_met':
      return { ...query, met: event.data };
    case 'query_concluded':
      return { ...query, conclusion: event.data };
    case 'router_miss':
    case 'agent_degraded':
    case 'sem_miss':
    case 'pii_redacted':
      return query;
  }
}

/** Returns the agents that have failed. This query does not ask them again (SPEC A2). */
export const degraded = ({ failures }: QueryState): AgentId[] => [
  ...new Set(failures.map(({ agent_id }) => agent_id)),
];

/** Returns how many repairs the council has asked for so far. */
export const repairs = ({ judgements }: QueryState): number =>
  judgements.filter(({ outcome }) => outcome === 'repair').length;
