import type { AgentId } from '../router/rules.js';
import type { AgentAnswered, Confirmation } from './events.js';
import { degraded, repairs, type QueryState } from './state.js';

/** The next input that a query needs from outside. */
export type Step =
  | { readonly step: 'agent'; readonly call: number; readonly agent_id: AgentId }
  | { readonly step: 'council'; readonly round: number; readonly answer: AgentAnswered }
  /** A verification of an answer on which the council is divided (SPEC G5). */
  | { readonly step: 'verification'; readonly round: number; readonly answer: AgentAnswered }
  | { readonly step: 'confirmation'; readonly confirmation: Confirmation }
  | { readonly step: 'end' };

/** The agent that answers after another agent failed (SPEC A2). */
export const FALLBACK_AGENT: AgentId = 'generic_agent';
/** The agent that answers each query for facts about the user, whatever its route (SPEC A1). */
const FACTS_AGENT: AgentId = 'profile_agent';

/**
 * Returns the next step of a query. It depends only on the recorded events, so an interrupted query
 * continues where it stopped (SPEC A4).
 */
export function nextStep(query: QueryState): Step {
  const { asked, answers, judgements, conclusion } = query;
  if (conclusion !== null) return { step: 'end' };
  if (asked.confirmation !== null)
    return { step: 'confirmation', confirmation: asked.confirmation };
  const answer = answers.at(-1);
  const round = repairs(query);
  if (answer === undefined || answers.length <= round) return agentCall(query, answer);
  const verdict = judgements.at(-1);
  if (verdict?.outcome === 'verify' && verdict.round === round)
    return { step: 'verification', round, answer };
  return { step: 'council', round, answer };
}

/**
 * Returns the call of the agent that must repair its answer, of the agent for facts about the user, or of
 * the routed agent. If that agent has failed, returns the call of the fallback agent.
 */
function agentCall(query: QueryState, rejected: AgentAnswered | undefined): Step {
  const { asked, answers, failures, route } = query;
  const first = asked.asks_for === undefined ? route?.agent_id : FACTS_AGENT;
  const wanted = rejected?.agent_id ?? first ?? FALLBACK_AGENT;
  const agent_id = degraded(query).includes(wanted) ? FALLBACK_AGENT : wanted;
  return { step: 'agent', call: answers.length + failures.length, agent_id };
}

/**
 * Returns the last rejected answer and the changes that the council suggested; undefined if nothing must
 * be repaired (SPEC A3).
 */
export function requestedRepair({ answers, judgements }: QueryState) {
  const asked = judgements.filter(({ outcome }) => outcome === 'repair');
  const rejected = answers[asked.length - 1];
  const verdict = asked.at(-1);
  if (rejected === undefined || verdict === undefined) return undefined;
  return { rejected: rejected.text, suggested_changes: verdict.suggested_changes };
}
