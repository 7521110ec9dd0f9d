import type { Json, JsonObject } from '../json.js';
import type { Finding, PathStep, Verdict } from '../privacy/finding.js';
import { redact, redactJson, REDACTION_REASON } from '../privacy/redact.js';
import { scanId } from '../privacy/scan-id.js';
import { isList, scanJson, sortedEntries } from '../privacy/scan-json.js';
import { scanText } from '../privacy/scan-text.js';
import type { LogContent } from './content.js';
import type { AgentOutput, CouncilVote, LogRedaction, ReflectiveFields } from './fields.js';
import { LogProblem } from './log-problem.js';

/**
 * Makes an HMAC under a key of the service. The removed data cannot be guessed from the HMAC (SPEC P3).
 */
type HashOfRedacted = (value: Json) => string;

/**
 * Matches a UUID or SHA-256, with or without a prefix such as `ep:`. Its digits can look like a card
 * number.
 */
const MACHINE_ID =
  /^([a-z]+:)*([0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

/** Returns the text at a finding's path: a string, the JSON text of a number, or a key if `inKey`. */
function scannedAt(value: Json, path: readonly PathStep[], inKey: boolean): string {
  let node = value;
  for (const [depth, step] of path.entries()) {
    if (isList(node)) {
      node = node[step as number] as Json;
      continue;
    }
    const entries = sortedEntries(node as JsonObject);
    const [key, item] =
      typeof step === 'number'
        ? (entries[step] as readonly [string, Json])
        : [step, (node as JsonObject)[step] as Json];
    if (inKey && depth === path.length - 1) return key;
    node = item;
  }
  return typeof node === 'string' ? node : JSON.stringify(node);
}

const findingsOf = (verdict: Verdict, field: string): readonly Finding[] => {
  if (verdict.outcome === 'cannot_scan')
    throw new LogProblem(`${field} cannot be scanned for personal data`);
  return verdict.outcome === 'clear' ? [] : verdict.findings;
};

/**
 * Removes personal data from a log, and records the place, hash and reason of each removal (SPEC P3).
 */
export class LogRedactor {
  readonly redactions: LogRedaction[] = [];

  constructor(private readonly hash: HashOfRedacted) {}

  /**
   * Replaces each finding in a text by `[REDACTED:<type>]`. @throws LogProblem if the text cannot be
   * scanned.
   */
  text(text: string, field: string): string {
    return this.without(findingsOf(scanText(text), field), text, field);
  }

  /** The same as `text`, but a text that cannot be scanned is replaced as a whole. */
  textOrPlaceholder(text: string, field: string): string {
    const verdict = scanText(text);
    if (verdict.outcome !== 'cannot_scan')
      return this.without(findingsOf(verdict, field), text, field);
    this.note(field, verdict.outcome, text);
    return `[REDACTED:${verdict.outcome}]`;
  }

  /**
   * Redacts the strings, numbers and keys of a value. @throws LogProblem if the value cannot be scanned.
   */
  json<Value extends Json>(value: Value, field: string): Value {
    if (typeof value === 'string') return this.text(value, field) as Value;
    const found = findingsOf(scanJson(value, field), field).map((finding) => ({
      finding,
      text: scannedAt(value, finding.path, finding.in_key),
    }));
    const personal = found.filter(({ text }) => !MACHINE_ID.test(text));
    for (const { finding, text } of personal)
      this.note([field, ...finding.path].join('.'), finding.type, text.slice(...finding.span));
    const findings = personal.map(({ finding }) => finding);
    return redactJson(value, findings, this.hash) as Value;
  }

  /**
   * Checks an id, which cannot be redacted. @throws LogProblem if the id contains personal data (SPEC
   * I4).
   */
  id(id: string, field: string): string {
    if (!MACHINE_ID.test(id) && scanId(id).outcome !== 'clear')
      throw new LogProblem(`${field} holds personal data, which an id may not`);
    return id;
  }

  private without(findings: readonly Finding[], text: string, field: string): string {
    for (const { type, span } of findings) this.note(field, type, text.slice(...span));
    return redact(text, findings);
  }

  private note(field: string, type: string, found: string): void {
    this.redactions.push({
      field,
      type,
      hash: this.hash(found),
      redaction_reason: REDACTION_REASON,
    });
  }
}

const outputOf = (redactor: LogRedactor, output: AgentOutput, at: string): AgentOutput => ({
  ...output,
  agent_id: redactor.id(output.agent_id, `${at}.agent_id`),
  text: redactor.text(output.text, `${at}.text`),
  reasoning_trace: output.reasoning_trace.map((step, index) =>
    redactor.text(step, `${at}.reasoning_trace.${index}`),
  ),
});

const voteOf = (redactor: LogRedactor, vote: CouncilVote, at: string): CouncilVote => ({
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
  const redactor = new LogRedactor(hash);
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
  const redactor = new LogRedactor(hash);
  redactor.id(fields.job_seed, 'job_seed');
  const evidence = redactor.json(fields.evidence, 'evidence');
  const { redactions, ...content } = redactedContent(fields, hash);
  return { ...fields, ...content, evidence, redactions: [...redactions, ...redactor.redactions] };
}
