import { expect, test } from '@jest/globals';
import { hashJson } from '#domain/determinism/hash.js';
import { episodicId, reflectiveLogId } from '#domain/determinism/ids.js';
import { RULE_SET_VERSION } from '#domain/privacy/finding.js';
import { Refusal } from '#domain/errors/refusal.js';
import { DEFAULT_CONSTANTS, resolveConstants } from '#domain/job/constants.js';
import { jobDecider } from '#domain/job/decider.js';
import type { EpisodeData, JobEvent, JobStarted } from '#domain/job/events.js';
import { findCwm, findWm } from '#domain/job/find.js';
import { carriedCwm, jobView } from '#domain/job/view.js';
import type { JsonObject } from '#domain/json.js';
import {
  end,
  episode,
  given,
  goal,
  insert,
  item,
  SEED,
  start,
  tick,
  ticks,
  use,
  useItem,
  wm,
} from './job-cases.js';
import { givenFor } from './given.js';
import { ensure } from '#test/support/ensure.js';

const started = given().when(start()).events();
const isInvalid = expect.objectContaining({ name: 'Refusal', code: 'INVALID_INPUT' });

test('J1 the first event pins the constants, the snapshots, and a brainstate id, which is a hash', () => {
  const [first] = given()
    .when(start({ cwm_ttl_ticks: 5 }, { goal: 'trip' }))
    .events();
  ensure(first?.type === 'job_started');
  const { constants, snapshots } = first.data;
  expect(constants.cwm_ttl_ticks).toBe(5);
  expect(constants.privacy_rule_set_version).toBe(RULE_SET_VERSION);
  expect(snapshots.sem_event_count).toBe(7);
  expect(snapshots.brainstate_snapshot_id).toBe(
    `brainstate:${hashJson({ constants, goal: 'trip', carried_cwm: null })}`,
  );
});

test('J1 constants have their defaults unless the start overrides them', () => {
  expect(resolveConstants()).toStrictEqual(DEFAULT_CONSTANTS);
  const chosen = resolveConstants({
    promotion_window: 10_000,
    min_confidence: 0,
    auto_tie_break: true,
    council_weights: { alice: 2.5 },
    router_toggles: { creative: false },
  });
  expect(chosen.promotion_window).toBe(10_000);
  expect(chosen.min_confidence).toBe(0);
  expect(chosen.router_toggles.creative).toBe(false);
  expect(chosen.router_toggles.search).toBe(true);
  expect(chosen.council_weights).toStrictEqual({ alice: 2.5 });
});

test('J1 an unknown, fixed or out-of-range constant is refused', () => {
  const bad: JsonObject[] = [
    { promotion_references: 0 },
    { promotion_references: 10_001 },
    { promotion_window: 1.5 },
    { cwm_token_budget: '512' },
    { min_confidence: 1.1 },
    { council_threshold: -0.1 },
    { auto_tie_break: 'yes' },
    { council_weights: { alice: -1 } },
    { council_weights: [1] },
    { router_toggles: { privacy: false } },
    { router_toggles: { search: 1 } },
    { privacy_rule_set_version: '2' },
    { unknown: 1 },
    { constructor: 1 },
    JSON.parse('{"__proto__": 1}') as JsonObject,
  ];
  for (const overrides of bad) expect(() => resolveConstants(overrides)).toThrow(isInvalid);
});

test('J1 a second start is JOB_EXISTS, even after the end', () => {
  given(...started)
    .when(start())
    .thenRefused('JOB_EXISTS');
  given(...started)
    .when(end, start())
    .thenRefused('JOB_EXISTS');
});

test('I4 seeds and session ids that cannot name a stream are refused', () => {
  for (const bad of ['', 'a b', 'ä', 'x'.repeat(129), 'a/b']) {
    givenFor(jobDecider, `job-${bad}`)()
      .when(start({}, { job_seed: bad }))
      .thenRefused('INVALID_INPUT');
    given()
      .when(start({}, { session_id: bad }))
      .thenRefused('INVALID_INPUT');
  }
});

test('I3 a seeded epoch is stored in canonical form and replaces the base', () => {
  const events = given()
    .when(start({}, { seeded_epoch: '2030-01-01T00:00:00Z' }), episode('a'))
    .events();
  const [begun, written] = events as readonly unknown[] as [
    { data: JobStarted },
    { data: EpisodeData },
  ];
  expect(begun.data.seeded_epoch).toBe('2030-01-01T00:00:00.000Z');
  expect(written.data.created_seeded_ts).toBe('2030-01-01T00:00:00.001Z');
  for (const bad of [
    '2030-01-01',
    '2030-02-30T00:00:00Z',
    '2030-01-01T00:00:60Z',
    '9999-12-31T00:00:00Z',
    'now',
  ])
    given()
      .when(start({}, { seeded_epoch: bad }))
      .thenRefused('INVALID_INPUT');
});

test('I3 a seed whose time lies outside four-digit years is refused', () => {
  const late = '7ZZZZZZZZZ0000000000000000';
  givenFor(jobDecider, `job-${late}`)()
    .when(start({}, { job_seed: late }))
    .thenRefused('INVALID_INPUT');
});

test('J1 the next job of a session starts with the CWM of the job that ended last', () => {
  const before = given()
    .when(
      start({}, { session_id: 's-1', goal: 'Rome' }),
      insert({ city: 'Rome' }),
      insert('trains', 'hint'),
      ...[1, 1, 2, 2].map(use),
      ...ticks(2),
      useItem(1),
      end,
    )
    .state();
  const carried = carriedCwm(before);
  expect(carried).toStrictEqual({
    from_job_seed: SEED,
    topic: 'Rome',
    items: [
      { item_id: item(1), type: 'fact', value: { city: 'Rome' }, ttl_ticks: 9, references: 3 },
      { item_id: item(2), type: 'hint', value: 'trains', ttl_ticks: 9, references: 2 },
    ],
  });
  const next = givenFor(jobDecider, 'job-next');
  const begin = start({}, { job_seed: 'next', session_id: 's-1', carried_cwm: carried });
  const state = next().when(begin, insert('new'), use2('next', 1), use2('next', 1), tick).state();
  const { cwm } = jobView(state);
  expect(cwm.cwm_id).toBe('cwm:s-1');
  expect(cwm.topic).toBe('Rome');
  expect(
    cwm.items.map(({ cwm_id_item, ttl_ticks, references }) => [cwm_id_item, ttl_ticks, references]),
  ).toStrictEqual([
    [item(1), 8, 3],
    [item(2), 8, 2],
    ['cwmi:wm:next:1', 10, 2],
  ]);
  next()
    .when({ ...begin, goal: 'Rome by night' })
    .thenTypes('job_started', 'cwm_aged');
});

const use2 = (seed: string, counter: number) =>
  ({ op: 'wm_reference', wm_id: `wm:${seed}:${counter}` }) as const;

test('J7 the end writes an episode for each referenced fact, oldest first, then the summary', () => {
  const outcome = given(...started).when(
    insert('Rome'),
    insert({ n: 1 }),
    insert('a hint', 'hint'),
    insert('unused'),
    ...[1, 2, 3].map(use),
    end,
  );
  const episodes = outcome.events().slice(-3) as { type: string; data: EpisodeData }[];
  expect(
    episodes.map(({ type, data }) => [
      type,
      data.summary,
      data.episodic_id,
      data.created_seeded_ts,
    ]),
  ).toStrictEqual([
    ['episode_consolidated', 'Rome', episodicId(SEED, 1), '2025-06-01T00:00:00.009Z'],
    ['episode_consolidated', '{"n":1}', episodicId(SEED, 2), '2025-06-01T00:00:00.010Z'],
    ['episodic_summary', ': ', episodicId(SEED, 3), '2025-06-01T00:00:00.011Z'],
  ]);
  expect(episodes[0]?.data.evidence).toStrictEqual([{ wm_id: wm(1), sem_snapshot_hash: '5e' }]);
  expect(episodes[0]?.data.payload).toStrictEqual({
    wm_id: wm(1),
    type: 'fact',
    value: 'Rome',
    created_at_tick: 0,
    ttl_ticks: 3,
    references: 1,
  });
});

test('J7 the end of an empty job still writes the summary of its empty CWM', () => {
  const events = given(...started)
    .when(end)
    .events();
  expect(events.map((event) => event.type)).toStrictEqual(['job_ended', 'episodic_summary']);
  const reflective_log_id = reflectiveLogId(SEED);
  expect(events[0]?.data).toStrictEqual({ tick: 0, reflective_log_id });
  expect((events[1] as { data: EpisodeData }).data.payload).toStrictEqual({
    cwm: { cwm_id: `cwm:${SEED}`, topic: '', items: [], token_estimate: 0 },
    sem_snapshot_hash: '5e',
    reflective_log_id,
  });
});

test('J7 summaries are cut by code points: the summary of a fact to 2,000, the summary of the CWM to 500', () => {
  const long = '\u{1f600}'.repeat(2_500);
  const fact = given(...started)
    .when(insert(long), use(1), end)
    .events();
  expect((fact.at(-2) as { data: EpisodeData }).data.summary).toBe('\u{1f600}'.repeat(2_000));
  const cwm = given(...started)
    .when(goal('t'), insert('a'), insert(long.slice(0, 1_000)), ...[1, 1, 2, 2].map(use), tick, end)
    .events();
  const { summary } = (cwm.at(-1) as { data: EpisodeData }).data;
  expect(Array.from(summary)).toHaveLength(500);
  expect(summary.startsWith('t: "a"; "\u{1f600}')).toBe(true);
});

test('J7 an interrupted end continues at the event where it stopped', () => {
  const whole = given(...started)
    .when(
      ...Array.from({ length: 5 }, (_, index) => insert(index)),
      ...[1, 2, 3, 4, 5].map(use),
      end,
    )
    .events();
  const ended = whole.findIndex((event) => event.type === 'job_ended');
  for (let cut = ended + 1; cut <= whole.length; cut += 1) {
    const state = given(...started, ...whole.slice(0, cut))
      .when()
      .state();
    expect(jobDecider.owed?.(state)).toStrictEqual(whole.slice(cut));
  }
});

test('J7 a job’s state keeps the number of its end event, also after the events that follow the end', () => {
  const before = given(...started).when(insert('a'), use(1));
  expect(before.state().ended_at).toBeUndefined();
  const { ended_at } = given(...started)
    .when(insert('a'), use(1), end)
    .state();
  expect(ended_at).toBe(started.length + before.events().length);
});

test('J7 a job accepts no command after its end', () => {
  const past = [
    ...started,
    ...given(...started)
      .when(insert('a'), end)
      .events(),
  ];
  const commands = [
    insert('b'),
    use(1),
    useItem(1),
    tick,
    goal('g'),
    episode('e'),
    end,
    { op: 'memory_read', kind: 'wm_find', ids: [] } as const,
  ];
  for (const command of commands)
    given(...past)
      .when(command)
      .thenRefused('JOB_ENDED');
});

test('J7 a sealed fact becomes an episode with the fact’s ciphertext and a redacted summary', () => {
  const sealed = { jwe: 'e..i.c.t', type: 'email' };
  const events = given(...started)
    .when({ op: 'wm_insert', type: 'fact', sealed }, use(1), end)
    .events();
  const { summary, payload, sealed_payload } = (events.at(-2) as { data: EpisodeData }).data;
  expect([summary, payload, sealed_payload]).toStrictEqual(['[REDACTED:email]', null, sealed]);
});

test('J1 a job that has not started accepts no command', () => {
  for (const command of [insert('a'), use(1), tick, end])
    given().when(command).thenRefused('NOT_FOUND');
  expect(() => jobView(given().when().state())).toThrow(Refusal);
});

test('E1 the id of a requested episode is derived from the episode’s counter, and its time is the time of the event that records it', () => {
  const [first, second] = given(...started)
    .when(tick, episode('a', { n: 1 }), episode('b'))
    .events()
    .slice(1) as { data: EpisodeData }[];
  expect(first?.data.episodic_id).toBe(episodicId(SEED, 1));
  expect(first?.data.created_seeded_ts).toBe('2025-06-01T00:00:00.002Z');
  expect(first?.data.reflective_log_id).toBe(reflectiveLogId(SEED));
  expect(first?.data.payload).toStrictEqual({ n: 1 });
  expect(second?.data.episodic_id).toBe(episodicId(SEED, 2));
  expect(second?.data.created_seeded_ts).toBe('2025-06-01T00:00:00.003Z');
});

test('E1 a summary has at most 2,000 characters and a payload at most 256 KB', () => {
  const payload = 'x'.repeat(256 * 1024 - 2);
  given(...started)
    .when(episode('\u{1f600}'.repeat(2_000), payload))
    .thenTypes('episode_written');
  given(...started)
    .when(episode('x'.repeat(2_001)))
    .thenRefused('INVALID_INPUT');
  given(...started)
    .when(episode('x', `${payload}x`))
    .thenRefused('INVALID_INPUT');
});

test('J10 a read for a decision records the facts that were read at the pinned snapshot', () => {
  given(...started)
    .when(tick, { op: 'memory_read', kind: 'sem_get', ids: ['world/fact/x/y'] })
    .then(
      { type: 'ticked', data: { tick: 1 } },
      {
        type: 'memory_read',
        data: { kind: 'sem_get', tick: 1, ids: ['world/fact/x/y'], sem_snapshot_hash: '5e' },
      },
    );
});

test('J8 a predicate compares only the values at its JSON Pointers, and compares them by structure', () => {
  const state = given(...started)
    .when(
      insert({ city: 'Rome', 'a/b': [1, { c: null }], __proto__x: 1 }),
      insert({ city: 'Oslo' }, 'hint'),
      insert('Rome'),
    )
    .state();
  const found = (predicate: Parameters<typeof findWm>[1]) =>
    findWm(state, predicate).map((entry) => entry.wm_id);
  expect(found({})).toStrictEqual([wm(3), wm(2), wm(1)]);
  expect(found({ equals: { '/value/city': 'Rome' } })).toStrictEqual([wm(1)]);
  expect(found({ equals: { '/value/city': 'rome' } })).toStrictEqual([]);
  expect(found({ equals: { '/value': 'Rome' } })).toStrictEqual([wm(3)]);
  expect(found({ equals: { '/value/a~1b': [1, { c: null }] } })).toStrictEqual([wm(1)]);
  expect(found({ exists: ['/value/a~1b/1/c'] })).toStrictEqual([wm(1)]);
  expect(found({ exists: ['/value/a~1b/01'] })).toStrictEqual([]);
  expect(found({ exists: ['/value/city'], absent: ['/value/a~1b'] })).toStrictEqual([wm(2)]);
  expect(found({ exists: ['/value/constructor'] })).toStrictEqual([]);
  expect(found({ exists: ['/value/length'] })).toStrictEqual([]);
  expect(found({ equals: { '/type': 'hint' } })).toStrictEqual([wm(2)]);
  expect(found({ equals: { '/ttl_ticks': 3, '/references': 0 } }).length).toStrictEqual(3);
  for (const pointer of ['value', '/a~2', '/~'])
    expect(() => found({ exists: [pointer] })).toThrow(isInvalid);
  expect(findCwm(state, {})).toStrictEqual([]);
});

test('J8 a predicate finds the items of the CWM in the order in which they were promoted', () => {
  const state = given(...started)
    .when(insert('one'), insert('two'), use(2), use(2), tick, use(1), use(1), tick)
    .state();
  const found = (predicate: Parameters<typeof findCwm>[1]) =>
    findCwm(state, predicate).map((kept) => kept.cwm_id_item);
  expect(found({})).toStrictEqual([item(2), item(1)]);
  expect(found({ equals: { '/value': 'one', '/promoted_from_wm': true } })).toStrictEqual([
    item(1),
  ]);
});

test('every input event can be turned back into the command that caused it', () => {
  const commands = [
    start({ cwm_ttl_ticks: 4 }, { goal: 'g', session_id: 's' }),
    insert({ a: 1 }, 'hint', 7),
    use(1),
    use(1),
    tick,
    useItem(1),
    goal('other'),
    episode('e', { n: 1 }),
    { op: 'memory_read', kind: 'cwm_find', ids: ['x'] } as const,
    end,
  ];
  const events: readonly JobEvent[] = given()
    .when(...commands)
    .events();
  const inputs = events.filter((event) => jobDecider.schemas[event.type].kind === 'input');
  expect(inputs.map((input) => jobDecider.commandOf(input))).toStrictEqual(commands);
});
