import { Redactor, type HashOfRedacted } from '../privacy/redactor.js';
import type { LogContent } from './content.js';
import type { AgentOutput, CouncilVote, ReflectiveFields } from './fields.js';
import { LogProblem } from './log-problem.js';

/** Makes a redactor that throws a LogProblem for what it cannot redact. */
export const logRedactor = (hash: HashOfRedacted): Redactor =>
  new Redactor(hash, (reason) => new LogProblem(reason));

const outputOf = (redactor: Redactor, output: AgentOutput, at: string): AgentOutput => ({
  ...output,
  agent_id: redactor.id(output.agent_id, `${at}.agent_id`),
  text: redactor.text(output.text, `${at}.text`),
  reasoning_trace: output.reasoning_trace.map((step, index) =>
    redactor.text(step, `${at}.reasoning_trace.${index}`),
  ),
});

const voteOf = (redactor: Redactor, vote: CouncilVote, at: string): CouncilVote => ({
  ...vote,
  council_agent_id: redactor.id(vote.council_agent_id, `${at}.council_agent_id`),
  suggested_changes: redactor.text(vote.suggested_changes, `${at}.suggested_changes`),
  note: redactor.text(vote.note, `${at}.note`),
});

/**
 * Returns log content without personal data, and adds the removals to its redactions. @throws LogProblem
 * for an id that contains personal data, and for a value that cannot be scanned.
 */
export function redactedContent(content: LogContent, hash: HashOfRedacted): LogContent {
  const redactor = logRedactor(hash);
  const { query_id, agents_invoked, agent_outputs, council_votes } = content;
  const clean = {
    ...content,
    query_id: redactor.id(query_id, 'query_id'),
    qcp_summary: redactor.json(content.qcp_summary, 'qcp_summary'),
    agents_invoked: agents_invoked.map((id, index) => redactor.id(id, `agents_invoked.${index}`)),
    agent_outputs: agent_outputs.map((output, index) =>
      outputOf(redactor, output, `agent_outputs.${index}`),
    ),
    council_votes: council_votes.map((vote, index) =>
      voteOf(redactor, vote, `council_votes.${index}`),
    ),
    final_answer: redactor.json(content.final_answer, 'final_answer'),
    runtime_metrics: redactor.json(content.runtime_metrics, 'runtime_metrics'),
  };
  return { ...clean, redactions: [...content.redactions, ...redactor.redactions] };
}

/** The same as `redactedContent`, for all fields of a posted log. */
export function redactedFields(fields: ReflectiveFields, hash: HashOfRedacted): ReflectiveFields {
  const redactor = logRedactor(hash);
  redactor.id(fields.job_seed, 'job_seed');
  const evidence = redactor.json(fields.evidence, 'evidence');
  const { redactions, ...content } = redactedContent(fields, hash);
  return { ...fields, ...content, evidence, redactions: [...redactions, ...redactor.redactions] };
}
