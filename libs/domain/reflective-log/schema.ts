import { TIME_PROBLEMS, timeProblem } from '../sem/timestamp.js';
import { SEED_PATTERN } from '../determinism/ids.js';
import { codePoints } from '../episode/tokens.js';
import { MAX_CHARACTERS } from '../free-text.js';
import type { Json, JsonObject } from '../json.js';
import type { LogContent } from './content.js';
import { LOG_SOURCES, type ReflectiveFields } from './fields.js';
import { LogProblem } from './fields.js';
import type { Signature } from './signature.js';
import type { RuleSet } from '../privacy/rule-set.js';
import { shownName } from '../privacy/scan-id.js';

/** The maximum characters of an agent's output within the log (SPEC L1). */
export const OUTPUT_TEXT = 16_000;
/** The maximum characters of the note of a council vote (SPEC L1). */
export const VOTE_NOTE = MAX_CHARACTERS;

/** Accepts a value, or throws a LogProblem that names the value's place. The rules decide which names it may show. */
type Check = (value: Json, path: string, rules: RuleSet) => void;

const within = (path: string, key: string | number): string =>
  path === '' ? String(key) : `${path}.${key}`;

const rule =
  (words: string, holds: (value: Json) => boolean): Check =>
  (value, path) => {
    if (!holds(value)) throw new LogProblem(`${path} must be ${words}`);
  };

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const matches = (words: string, pattern: RegExp): Check =>
  rule(words, (value) => typeof value === 'string' && pattern.test(value));
const isNumber = (value: Json, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;
const whole = (max = Number.MAX_SAFE_INTEGER): Check =>
  rule(
    `an integer from 0 to ${max}`,
    (value) => Number.isInteger(value) && isNumber(value, 0, max),
  );

const object = rule('an object', isObject);
const flag = rule('true or false', (value) => typeof value === 'boolean');
const text = rule('a string', (value) => typeof value === 'string');
const anything: Check = () => undefined;
const share = rule('a number from 0 to 1', (value) => isNumber(value, 0, 1));
const amount = rule('a number from 0', (value) => isNumber(value, 0, Number.MAX_VALUE));
const id = matches('an id of 1 to 256 characters A–Z a–z 0–9 . _ : -', /^[A-Za-z0-9._:-]{1,256}$/);
const hash = matches('64 lower-case hex digits', /^[0-9a-f]{64}$/);
const version = matches('a version of 1 to 64 printable characters', /^[\x21-\x7e]{1,64}$/);
const note = rule(
  `a string of at most ${VOTE_NOTE} characters`,
  (value) => typeof value === 'string' && codePoints(value) <= VOTE_NOTE,
);
const nullOr =
  (check: Check): Check =>
  (value, path, rules) => {
    if (value !== null) check(value, path, rules);
  };

const listOf =
  (check: Check, max = 1_000): Check =>
  (value, path, rules) => {
    if (!Array.isArray(value)) throw new LogProblem(`${path} must be a list`);
    if (value.length > max) throw new LogProblem(`${path} must not hold more than ${max} items`);
    (value as readonly Json[]).forEach((item, index) => check(item, within(path, index), rules));
  };

const shown = (key: string, rules: RuleSet): string =>
  shownName(key, rules) ?? '(an unprintable name)';

/** Checks an object that has exactly these fields. A name that ends in `?` marks a field that may be left out. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const known = new Map(
    Object.entries(checks).map(([name, check]) => [
      name.replace('?', ''),
      { check, optional: name.endsWith('?') },
    ]),
  );
  return (value, path, rules) => {
    if (!isObject(value))
      throw new LogProblem(`${path === '' ? 'the log' : path} must be an object`);
    for (const key of Object.keys(value))
      if (!known.has(key))
        throw new LogProblem(`${within(path, shown(key, rules))} is not a known field`);
    for (const [name, { check, optional }] of known) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given !== undefined) check(given, within(path, name), rules);
      else if (!optional) throw new LogProblem(`${within(path, name)} is missing`);
    }
  };
}

const agentOutput = fields({
  agent_id: id,
  text,
  confidence: share,
  reasoning_trace: listOf(text),
  tokens: whole(),
  time_ms: amount,
  'artifact_url?': matches('artifact:sha256:<64 hex digits>', /^artifact:sha256:[0-9a-f]{64}$/),
});

const councilVote = fields({
  council_agent_id: id,
  scores: fields({ factuality: share, coherence: share, safety: share }),
  approve: flag,
  suggested_changes: text,
  note,
});

const redaction = fields({ field: text, type: id, hash, redaction_reason: id });

const CONTENT: Readonly<Record<string, Check>> = {
  source: rule(`one of ${LOG_SOURCES.join(', ')}`, (value) =>
    (LOG_SOURCES as readonly Json[]).includes(value),
  ),
  query_id: id,
  query_text_hash: hash,
  qcp_summary: object,
  agents_invoked: listOf(id),
  agent_outputs: listOf(agentOutput),
  council_votes: listOf(councilVote),
  final_answer: anything,
  final_confidence: nullOr(share),
  repair_loops: whole(2_147_483_647),
  cache_hit: flag,
  runtime_metrics: object,
};

/**
 * Matches a SHA-256, or a UUID of any version but 5, which is the version of jobs' own logs (002
 * §ReflectiveLog A).
 */
const LOG_ID =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[1-46-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[0-9a-f]{64})$/;
const JOB_LOG_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True if a value can be the id of a posted log or of a job's own log. */
export const isLogId = (value: unknown): value is string =>
  typeof value === 'string' && (LOG_ID.test(value) || JOB_LOG_ID.test(value));

const logId: Check = (value, path, rules) => {
  if (typeof value === 'string' && JOB_LOG_ID.test(value))
    throw new LogProblem(`${path} is a UUID of version 5, which only a job's own log has`);
  matches('a lower-case UUID or SHA-256', LOG_ID)(value, path, rules);
};

/** A time stays as it was written, because the signature covers it. */
const instant: Check = (value, path) => {
  const problem = typeof value === 'string' ? timeProblem(value) : 'form';
  if (problem !== undefined) throw new LogProblem(`${path} ${TIME_PROBLEMS[problem]}`);
};

const signature: Check = (value, path, rules) => {
  if (typeof value === 'string') hash(value, path, rules);
  else fields({ key_id: id, value: hash })(value, path, rules);
};

const postedLog = fields({
  ...CONTENT,
  log_id: logId,
  created_at: instant,
  sem_snapshot_hash: hash,
  system_version: version,
  'signature?': signature,
  job_seed: matches('a job_seed', SEED_PATTERN),
  stream_head_hash: hash,
  episodic_snapshot_id: id,
  brainstate_snapshot_id: id,
  evidence: listOf(object),
  redactions: listOf(redaction),
});

const handedLog = fields({ ...CONTENT, system_version: version, 'redactions?': listOf(redaction) });

/** The body of `POST reflective-logs`: every immutable field, and an optional signature. */
type PostedLog = {
  readonly fields: ReflectiveFields;
  /** A signature without a key_id is checked with every key of the service. */
  readonly signature: Signature | string | undefined;
};

/**
 * Reads a posted log (SPEC L1, L5).
 * @throws LogProblem for an unknown, missing or invalid field.
 */
export function readPostedLog(log: Json, rules: RuleSet): PostedLog {
  postedLog(log, '', rules);
  const { signature: sentSignature, ...immutable } = log as JsonObject;
  return {
    fields: immutable as unknown as ReflectiveFields,
    signature: sentSignature as Signature | string | undefined,
  };
}

/**
 * Reads the log content that a runtime sends when its job ends. The service adds the other fields (SPEC
 * L7). @throws LogProblem for an unknown, missing or invalid field.
 */
export function readRuntimeLog(log: Json, rules: RuleSet): LogContent {
  handedLog(log, 'reflective_log', rules);
  const content = log as unknown as LogContent;
  return { ...content, redactions: content.redactions ?? [] };
}
