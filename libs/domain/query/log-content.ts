import type { LogContent } from '../reflective-log/content.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { AgentAnswered } from './events.js';
import { qcpSummary } from '../router/rules.js';
import { repairs, type QueryState } from './state.js';

/** Values that differ between two runs of the same query. They come from the metadata of its events (SPEC X1). */
export interface QueryRun {
  /** The query_id that the request got. */
  readonly query_id: string;
  /** For each call number, the duration of the agent's call in ms. */
  readonly agent_time_ms: ReadonlyMap<number, number>;
}

export function queryLogContent(query: QueryState, run: QueryRun): LogContent {
  const { asked, answers, failures, votes, verifications, conclusion, route } = query;
  const called = [...answers, ...failures].sort((one, other) => one.call - other.call);
  return {
    source: 'user_request',
    query_id: run.query_id,
    query_text_hash: asked.query_hash,
    qcp_summary: {
      agent_id: route?.agent_id ?? null,
      route_reason: route?.route_reason ?? null,
      context_tags: asked.context_tags,
      ...qcpSummary(route?.route_reason ?? null),
      confirms: asked.confirmation?.log_id ?? null,
      degraded: conclusion?.degraded ?? [],
      failure: conclusion?.failure?.code ?? null,
    },
    agents_invoked: [...new Set(called.map(({ agent_id }) => agent_id))],
    agent_outputs: answers.map((answer) => ({
      agent_id: answer.agent_id,
      text: answer.text,
      confidence: answer.confidence,
      reasoning_trace: answer.reasoning_trace,
      tokens: answer.tokens,
      time_ms: run.agent_time_ms.get(answer.call) ?? 0,
    })),
    council_votes: [...votes.flatMap((round) => round.votes), ...verifiedVotes(query)],
    final_answer: conclusion?.answer ?? null,
    final_confidence: conclusion?.confidence ?? null,
    repair_loops: repairs(query),
    cache_hit: false,
    runtime_metrics: {
      agent_calls: called.length,
      agent_time_ms: [...run.agent_time_ms.values()].reduce((sum, ms) => sum + ms, 0),
      council_rounds: votes.length + verifications.length,
      tokens: answers.reduce((sum, { tokens }) => sum + tokens, 0),
    },
    redactions: redactionsOf(query),
  };
}

const verifiedVotes = ({ verifications }: QueryState) =>
  verifications.flatMap(({ vote }) => (vote === null ? [] : [vote]));

const moved = (redactions: readonly LogRedaction[], to: (field: string) => string) =>
  redactions.map((redaction) => ({ ...redaction, field: to(redaction.field) }));

/** Returns the redactions of the outputs and votes, in which `field` names the place in the log. */
function redactionsOf({ answers, votes, verifications }: QueryState): LogRedaction[] {
  const outputs = answers.flatMap(({ redactions }: AgentAnswered, index) =>
    moved(redactions, (field) => `agent_outputs.${index}.${field}`),
  );
  let first = 0;
  const judged = [
    ...votes,
    ...verifications
      .filter(({ vote }) => vote !== null)
      .map(({ vote, redactions }) => ({ votes: [vote], redactions })),
  ].flatMap((round) => {
    const before = first;
    first += round.votes.length;
    return moved(round.redactions, (field) =>
      field.replace(/^votes\.(\d+)/, (_, index) => `council_votes.${before + Number(index)}`),
    );
  });
  return [...outputs, ...judged];
}
