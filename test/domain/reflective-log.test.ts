import { expect, test } from '@jest/globals';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobState } from '#domain/job/state.js';
import type { Json, JsonObject } from '#domain/json.js';
import { fold } from '#domain/decider.js';
import { type Author, reflectiveLogSchemas } from '#domain/reflective-log/events.js';
import { LogProblem } from '#domain/reflective-log/fields.js';
import { reflectiveFieldsOf } from '#domain/reflective-log/reflective-fields-of.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import { readRuntimeLog, readPostedLog } from '#domain/reflective-log/schema.js';
import { isSignedBy, keyringOf, signLog } from '#domain/reflective-log/signature.js';
import { givenFor } from './given.js';
import { end, given, insert, SEED, start, use } from './job-cases.js';
import { CONTENT, FIELDS, KEY, KEYRING, LOG_ID, OLD_KEY, WRITTEN } from './reflective-cases.js';
import { ensure } from '#test/support/ensure.js';

const HEAD = sha256Hex('the last event');
const GOAL_HASH = sha256Hex('a keyed hash');
const logOf = (state: JobState) =>
  reflectiveFieldsOf(state, { headHash: HEAD, systemVersion: 'mace-9', goalHash: GOAL_HASH });
const jobAfter = (...commands: JobCommand[]): JobState =>
  given()
    .when(start({}, { goal: 'trip' }), insert('rome', 'fact'), use(1), ...commands)
    .state();

const read = (...ids: string[]): JobCommand => ({ op: 'memory_read', kind: 'sem_get', ids });

test('L7 a job without a runtime’s log gets one from the service, with the source `system` and without agents or an answer', () => {
  const state = jobAfter(end);
  const { snapshots } = state.started!;
  expect(logOf(state)).toStrictEqual({
    log_id: reflectiveLogId(SEED),
    // The end is the job's fourth event, after three inputs, and the seed's time is 2025-06-01.
    created_at: '2025-06-01T00:00:00.003Z',
    source: 'system',
    query_id: SEED,
    query_text_hash: GOAL_HASH,
    qcp_summary: {},
    agents_invoked: [],
    agent_outputs: [],
    council_votes: [],
    final_answer: null,
    final_confidence: null,
    repair_loops: 0,
    cache_hit: false,
    sem_snapshot_hash: snapshots.sem_snapshot_hash,
    runtime_metrics: {},
    system_version: 'mace-9',
    job_seed: SEED,
    stream_head_hash: HEAD,
    episodic_snapshot_id: snapshots.episodic_snapshot_id,
    brainstate_snapshot_id: snapshots.brainstate_snapshot_id,
    evidence: [],
    redactions: [],
  });
});

test('L7 a runtime’s log is stored as sent, and the service fills in the rest', () => {
  const state = jobAfter({ op: 'end', reflective_log: CONTENT });
  const log = logOf(state);
  for (const [name, value] of Object.entries(CONTENT))
    expect([name, (log as unknown as JsonObject)[name]]).toStrictEqual([name, value]);
  expect(log.log_id).toBe(reflectiveLogId(SEED));
  expect(log.stream_head_hash).toBe(HEAD);
  expect(log.created_at).toBe('2025-06-01T00:00:00.003Z');
});

test('L7 a running job has no log', () => {
  expect(() => logOf(jobAfter())).toThrow(TypeError);
});

test('J10 L1 a job’s reads are the evidence in its log, in order', () => {
  const log = logOf(jobAfter(read('world/a/b/c'), read('world/d/e/f', 'world/g/h/i'), end));
  const { sem_snapshot_hash } = log;
  expect(log.evidence).toStrictEqual([
    { event_number: 3, kind: 'sem_get', tick: 0, ids: ['world/a/b/c'], sem_snapshot_hash },
    {
      event_number: 4,
      kind: 'sem_get',
      tick: 0,
      ids: ['world/d/e/f', 'world/g/h/i'],
      sem_snapshot_hash,
    },
  ]);
});

test('L1 evidence beyond 128 KB is left out, and the log gives the count and the stream of that evidence instead, so that a log always fits', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `world/fact/number_${index}/value`);
  const reads = Array.from({ length: 10 }, () => read(...ids));
  const { evidence } = logOf(jobAfter(...reads, read('world/a/b/c'), end));
  expect(evidence).toHaveLength(5);
  expect(evidence.at(-1)).toStrictEqual({ omitted_reads: 7, stream: `job-${SEED}` });
  expect(canonicalSize(evidence)).toBeLessThan(129 * 1024);
});

const log = givenFor(reflectiveLogDecider, `reflective-${LOG_ID}`);
const written = { type: 'reflective_log_written', data: WRITTEN } as const;
const agent: Author = { sub: 'agent-1', user_id: null, role: 'agent' };
const council: Author = { sub: 'council-1', user_id: null, role: 'council' };
const added = (author: Author) => ({
  created_at: '2026-11-22T11:00:00.000Z',
  author,
  redactions: [],
});
const amend = (author: Author, effect: 'note' | 'override_suggestion' | 'revalidate') =>
  ({ type: 'amend', changes: { final_answer: 'Lyon.' }, effect, ...added(author) }) as const;
const ask = { type: 'request_review', reason: 'I doubt it.', ...added(agent) } as const;

test('L1 a log is written once; a second log with the same id is LOG_EXISTS', () => {
  log()
    .when({ type: 'write', ...WRITTEN })
    .then(written);
  log(written)
    .when({ type: 'write', ...WRITTEN })
    .thenRefused('LOG_EXISTS');
});

test('L4 an addition to a missing log is refused', () => {
  log().when(amend(agent, 'note')).thenRefused('NOT_FOUND');
  log().when(ask).thenRefused('NOT_FOUND');
});

test('L4 amendments, feedback, labels and tags are listed with the log and do not change the log', () => {
  const state = log(written)
    .when(
      amend(agent, 'note'),
      { type: 'give_feedback', rating: 4, comment: 'Good.', ...added(agent) },
      { type: 'label', ground_truth_label: 'Paris.', ...added(agent) },
      { type: 'tag', audit_tags: ['checked'], ...added(agent) },
    )
    .state();
  expect(state.written).toStrictEqual(WRITTEN);
  expect(state.amendments[0]?.target_log_id).toBe(LOG_ID);
  expect(state.feedback[0]?.rating).toBe(4);
  expect(state.labels[0]?.ground_truth_label).toBe('Paris.');
  expect(state.tags[0]?.audit_tags).toStrictEqual(['checked']);
});

const listed = {
  ...{ request_id: 'r', kind: 'vote_cast', stream: 'request-r', event_number: 2 },
} as const;
const list = { type: 'list_council_event', ...listed } as const;

test('G3 an event of an action request is listed with the log once, and does not change the log', () => {
  const outcome = log(written).when(list, list, { ...list, event_number: 3 });
  outcome.thenTypes('council_event', 'council_event');
  expect(outcome.state().written).toStrictEqual(WRITTEN);
  expect(outcome.state().council_events).toStrictEqual([listed, { ...listed, event_number: 3 }]);
  log().when(list).thenRefused('NOT_FOUND');
});

test('P3 redactions in an amendment are recorded in an event of their own', () => {
  const redactions = [
    {
      field: 'changes.note',
      type: 'email',
      hash: sha256Hex('x'),
      redaction_reason: 'PII_DETECTED',
    },
  ];
  log(written)
    .when({ ...amend(agent, 'note'), redactions })
    .thenTypes('amendment_added', 'pii_redacted');
});

test('A3 a review stays open until a council member’s amendment overrides or revalidates the log', () => {
  log(written).when(ask, amend(council, 'note')).thenTypes('review_requested', 'amendment_added');
  log(written)
    .when(ask, amend(agent, 'override_suggestion'))
    .thenTypes('review_requested', 'amendment_added');
  const settled = log(written).when(ask, amend(council, 'revalidate'));
  settled.thenTypes('review_requested', 'amendment_added', 'review_resolved');
  expect(settled.state().open_review).toBeNull();
});

test('A3 a request for a review adds no event while another review is open, and starts a new review after the open one is closed', () => {
  log(written).when(ask, ask).thenTypes('review_requested');
  const reviews = log(written)
    .when(ask, amend(council, 'revalidate'), ask)
    .events()
    .flatMap((event) => (event.type === 'review_requested' ? [event.data.review_id] : []));
  expect(new Set(reviews).size).toBe(2);
});

test('A3 an owner cannot review the owner’s own log', () => {
  const own = { ...written, data: { ...WRITTEN, owner: { sub: 'council-1', user_id: null } } };
  log(own).when(ask, amend(council, 'revalidate')).thenTypes('review_requested', 'amendment_added');
});

test('L5 a quarantined row is restored from the event log, once', () => {
  const quarantine = {
    type: 'quarantine',
    quarantine_id: 'quarantine-1',
    log_id: LOG_ID,
    fault: 'tampered',
    reason: 'final_answer differs',
    signature_valid: false,
    found: { final_answer: '"Lyon."' },
    recorded: { final_answer: '"Paris."' },
    at: '2026-11-22T12:00:00.000Z',
  } as const;
  const healed = log(written).when(quarantine);
  healed.thenTypes('log_quarantined', 'log_healed');
  expect(healed.events()[1]).toStrictEqual({
    type: 'log_healed',
    data: { quarantine_id: 'quarantine-1', ...WRITTEN },
  });
  expect(healed.state().to_heal).toBeNull();
});

test('X1 every command can be read from its event, and deciding the command again gives the same events', () => {
  const redactions = [
    { field: 'comment', type: 'email', hash: sha256Hex('x'), redaction_reason: 'PII_DETECTED' },
  ];
  const { stream } = reflectiveLogDecider.initialState(`reflective-${LOG_ID}`);
  const events = log()
    .when(
      { type: 'write', ...WRITTEN },
      { type: 'give_feedback', rating: null, comment: 'x', ...added(agent), redactions },
      { type: 'label', ground_truth_label: 1, ...added(agent) },
      { type: 'tag', audit_tags: ['a'], ...added(agent) },
      list,
      ask,
      amend(council, 'override_suggestion'),
      {
        ...{ type: 'quarantine', quarantine_id: 'q', log_id: LOG_ID, fault: 'missing' },
        ...{ reason: 'gone', signature_valid: false, found: {}, recorded: {}, at: 'now' },
      },
    )
    .events();
  let state = reflectiveLogDecider.initialState(stream);
  const again: (typeof events)[number][] = [];
  for (const event of events) {
    if (reflectiveLogSchemas[event.type].kind === 'outcome') continue;
    const made = [...reflectiveLogDecider.decide(reflectiveLogDecider.commandOf(event), state)];
    state = fold(reflectiveLogDecider, state, made);
    const owed = reflectiveLogDecider.owed?.(state) ?? [];
    state = fold(reflectiveLogDecider, state, owed);
    again.push(...made, ...owed);
  }
  expect(again).toStrictEqual(events);
});

test('L2 a signature can be verified with its key, even after the key was replaced', () => {
  const before = signLog(FIELDS, keyringOf(OLD_KEY));
  expect(isSignedBy(FIELDS, before, KEYRING)).toBe(true);
  expect(isSignedBy(FIELDS, before.value, KEYRING)).toBe(true);
  expect(isSignedBy(FIELDS, before, keyringOf(KEY))).toBe(false);
  expect(before.key_id).not.toBe(KEYRING.current.key_id);
  expect(OLD_KEY).not.toContain(before.key_id);
});

const posted = FIELDS as unknown as JsonObject;
const without = (name: string): JsonObject =>
  Object.fromEntries(Object.entries(posted).filter(([key]) => key !== name));
const problemOf = (body: Json): string => {
  try {
    readPostedLog(body, DEFAULT_RULES);
  } catch (problem) {
    ensure(problem instanceof LogProblem);
    return problem.reason;
  }
  return 'none';
};

test('L1 a posted log is stored unchanged if it has every immutable field', () => {
  expect(readPostedLog(posted, DEFAULT_RULES)).toStrictEqual({
    fields: FIELDS,
    signature: undefined,
  });
});

test('L1 each immutable field is required', () => {
  for (const name of Object.keys(posted))
    expect(problemOf(without(name))).toBe(`${name} is missing`);
});

test('L1 a posted log with errors is refused; the refusal names the places of the errors, without values', () => {
  const [output] = FIELDS.agent_outputs;
  const [vote] = FIELDS.council_votes;
  const cases: readonly (readonly [JsonObject, RegExp])[] = [
    [{ surprise: 1 }, /^surprise is not a known field$/],
    [{ 'a@b.example': 1 }, /^\(an unprintable name\) is not a known field$/],
    [{ source: 'rumour' }, /^source must be one of/],
    [{ created_at: 'yesterday' }, /^created_at must be an RFC 3339 time/],
    [{ query_text_hash: 'abc' }, /^query_text_hash must be 64/],
    [{ final_confidence: 1.2 }, /^final_confidence must be a number from 0 to 1$/],
    [{ repair_loops: 0.5 }, /^repair_loops must be an integer/],
    [{ cache_hit: 'no' }, /^cache_hit must be true or false$/],
    [{ agents_invoked: 'logic_v1' }, /^agents_invoked must be a list$/],
    [{ agent_outputs: [{ ...output, mood: 1 }] }, /^agent_outputs.0.mood is not a known field$/],
    [{ agent_outputs: [{ ...output, confidence: 2 }] }, /^agent_outputs.0.confidence must/],
    [{ council_votes: [{ ...vote, note: 'x'.repeat(4_001) }] }, /^council_votes.0.note must/],
    [{ council_votes: [{ ...vote, scores: {} }] }, /^council_votes.0.scores.factuality is missing/],
    [{ log_id: 'log-1' }, /^log_id must be a lower-case UUID or SHA-256$/],
    [{ log_id: reflectiveLogId('any job') }, /^log_id is a UUID of version 5/],
    [{ signature: { key_id: 'k', value: 'v' } }, /^signature.value must be 64/],
  ];
  for (const [change, reason] of cases) expect(problemOf({ ...posted, ...change })).toMatch(reason);
  expect(problemOf([])).toBe('the log must be an object');
});

test('L7 a runtime’s log must not contain fields that the service fills in', () => {
  const handed = CONTENT as unknown as JsonObject;
  expect(readRuntimeLog(handed, DEFAULT_RULES)).toStrictEqual(CONTENT);
  for (const name of ['log_id', 'stream_head_hash', 'sem_snapshot_hash', 'evidence'])
    expect(() =>
      readRuntimeLog({ ...handed, [name]: posted[name] ?? null }, DEFAULT_RULES),
    ).toThrow(
      expect.objectContaining({
        name: 'LogProblem',
        reason: `reflective_log.${name} is not a known field`,
      }),
    );
});
