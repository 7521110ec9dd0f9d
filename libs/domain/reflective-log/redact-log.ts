import type { Slices } from '../slices.js';
import type { RuleSet } from '../privacy/rule-set.js';
import { Redactor, type HashOfRedacted } from '../privacy/redactor.js';
import type { LogContent } from './content.js';
import type { AgentOutput, CouncilVote, ReflectiveFields } from './fields.js';
import { LogProblem } from './fields.js';

/** Makes a redactor that throws a LogProblem for what it cannot redact. */
export const logRedactor = (hash: HashOfRedacted, rules: RuleSet): Redactor =>
  new Redactor(hash, (reason) => new LogProblem(reason), rules);

function* outputOf(redactor: Redactor, output: AgentOutput, at: string): Slices<AgentOutput> {
  const agent_id = redactor.id(output.agent_id, `${at}.agent_id`);
  const text = yield* redactor.slicedText(output.text, `${at}.text`);
  const reasoning_trace: string[] = [];
  for (const [index, step] of output.reasoning_trace.entries())
    reasoning_trace.push(yield* redactor.slicedText(step, `${at}.reasoning_trace.${index}`));
  return { ...output, agent_id, text, reasoning_trace };
}

function* voteOf(redactor: Redactor, vote: CouncilVote, at: string): Slices<CouncilVote> {
  return {
    ...vote,
    council_agent_id: redactor.id(vote.council_agent_id, `${at}.council_agent_id`),
    suggested_changes: yield* redactor.slicedText(
      vote.suggested_changes,
      `${at}.suggested_changes`,
    ),
    note: yield* redactor.slicedText(vote.note, `${at}.note`),
  };
}

/** Does the work for each item, with a place to pause after each. */
function* each<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Slices<Result>,
): Slices<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(yield* work(item, index));
    yield;
  }
  return results;
}

/**
 * Returns, in slices, log content without personal data, and adds the removals to its redactions. @throws LogProblem
 * for an id that contains personal data, and for a value that cannot be scanned.
 */
export function* redactedContent(
  content: LogContent,
  hash: HashOfRedacted,
  rules: RuleSet,
): Slices<LogContent> {
  const redactor = logRedactor(hash, rules);
  const { query_id, agents_invoked, agent_outputs, council_votes } = content;
  const clean = {
    ...content,
    query_id: redactor.id(query_id, 'query_id'),
    qcp_summary: yield* redactor.slicedJson(content.qcp_summary, 'qcp_summary'),
    agents_invoked: yield* each(agents_invoked, function* (id, index) {
      return redactor.id(id, `agents_invoked.${index}`);
    }),
    agent_outputs: yield* each(agent_outputs, (output, index) =>
      outputOf(redactor, output, `agent_outputs.${index}`),
    ),
    council_votes: yield* each(council_votes, (vote, index) =>
      voteOf(redactor, vote, `council_votes.${index}`),
    ),
    final_answer: yield* redactor.slicedJson(content.final_answer, 'final_answer'),
    runtime_metrics: yield* redactor.slicedJson(content.runtime_metrics, 'runtime_metrics'),
  };
  return { ...clean, redactions: [...content.redactions, ...redactor.redactions] };
}

/** The same as `redactedContent`, for all fields of a posted log. */
export function* redactedFields(
  fields: ReflectiveFields,
  hash: HashOfRedacted,
  rules: RuleSet,
): Slices<ReflectiveFields> {
  const redactor = logRedactor(hash, rules);
  redactor.id(fields.job_seed, 'job_seed');
  const evidence = yield* redactor.slicedJson(fields.evidence, 'evidence');
  const { redactions, ...content } = yield* redactedContent(fields, hash, rules);
  return { ...fields, ...content, evidence, redactions: [...redactions, ...redactor.redactions] };
}
