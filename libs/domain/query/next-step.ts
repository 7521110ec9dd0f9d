import type { AgentId } from '../router/rules.js';
import type { AgentAnswered, Confirmation } from './events.js';
import { degraded, repairs, type QueryState } from './state.js';

/** What a query needs next from outside. */
export type Step =
  | { readonly step: 'agent'; readonly call: number; readonly agent_id: AgentId }
  | { readonly step: 'council'; readonly round: number; readonly answer: AgentAnswered }
  /** One pass over an answer on which the council is divided (SPEC G5). */
  | { readonly step: 'verification'; readonly round: number; readonly answer: AgentAnswered }
  | { readonly step: 'confirmation'; readonly confirmation: Confirmation }
  | { readonly step: 'end' };

/** Who answers where another agent failed (SPEC A2). */
export const FALLBACK_AGENT: AgentId = 'generic_agent';

/**
 * What is to be done next, from what was recorded alone: so a query that was cut off goes on where it
 * stopped (SPEC A4). Pure.
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

/** The routed agent, the one whose answer is to be repaired, or the fallback for either. */
function agentCall(query: QueryState, rejected: AgentAnswered | undefined): Step {
  const { answers, failures, route } = query;
  const wanted = rejected?.agent_id ?? route?.agent_id ?? FALLBACK_AGENT;
  const agent_id = degraded(query).includes(wanted) ? FALLBACK_AGENT : wanted;
  return { step: 'agent', call: answers.length + failures.length, agent_id };
}

/** What the council would have changed of the answer that it rejected last, if it rejected one (SPEC A3). */
export function repairAsked({ answers, judgements }: QueryState) {
  const asked = judgements.filter(({ outcome }) => outcome === 'repair');
  const rejected = answers[asked.length - 1];
  const verdict = asked.at(-1);
  if (rejected === undefined || verdict === undefined) return undefined;
  return { rejected: rejected.text, suggested_changes: verdict.suggested_changes };
}
