import { expect, test } from '@jest/globals';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobEvent } from '#domain/job/events.js';
import { jobView } from '#domain/job/view.js';
import {
  end,
  forget,
  forgetItem,
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

const started = given().when(start()).events();
/** A job with one fact in CWM, which was promoted at tick 1. */
const consolidated = given(...started)
  .when(insert('Rome', 'fact', 9), use(1), use(1), tick)
  .events();

test('J2 a new entry has no references, the current tick and the default ttl', () => {
  given(...started)
    .when(insert({ city: 'Rome' }))
    .then({
      type: 'wm_inserted',
      data: {
        wm_id: wm(1),
        type: 'fact',
        value: { city: 'Rome' },
        created_at_tick: 0,
        ttl_ticks: 3,
      },
    });
});

test('J2 WM lists the newest entry first, and each recorded use adds one reference', () => {
  const state = given(...started)
    .when(insert('a'), insert('b', 'hint'), use(1), use(1), use(2))
    .state();
  expect(jobView(state).wm).toStrictEqual([
    { wm_id: wm(2), type: 'hint', value: 'b', created_at_tick: 0, ttl_ticks: 3, references: 1 },
    { wm_id: wm(1), type: 'fact', value: 'a', created_at_tick: 0, ttl_ticks: 3, references: 2 },
  ]);
});

test('J2 the 1,001st entry is refused', () => {
  const full = given(...started)
    .when(...Array.from({ length: 1_000 }, (_, index) => insert(index)))
    .events();
  given(...started, ...full)
    .when(insert('one more'))
    .thenRefused('INVALID_INPUT');
});

test('J2 a value of 16 KB is accepted and one byte more is refused', () => {
  const fits = 'x'.repeat(16 * 1024 - 2);
  given(...started)
    .when(insert(fits))
    .thenTypes('wm_inserted');
  for (const large of [`${fits}x`, 'ü'.repeat(8 * 1024)])
    given(...started)
      .when(insert(large))
      .thenRefused('INVALID_INPUT');
});

test('J2 an unknown type is refused, and so is a ttl that is not a positive integer', () => {
  given(...started)
    .when(insert('a', 'rumour' as never))
    .thenRefused('INVALID_INPUT');
  for (const ttl of [0, -1, 1.5, 10_001, NaN])
    given(...started)
      .when(insert('a', 'fact', ttl))
      .thenRefused('INVALID_INPUT');
});

test('I5 a value that Postgres could not store is refused before it becomes an event', () => {
  for (const value of ['\u0000', '\ud800', 2 ** 60, { 'k\u0000': 1 }])
    given(...started)
      .when(insert(value))
      .thenRefused('INVALID_INPUT');
});

test('J2 a reference to a missing entry or item is NOT_FOUND', () => {
  const past = [...started, ...consolidated];
  for (const unknown of [wm(2), wm(0), 'wm:other:1', 'nonsense', ''])
    given(...past)
      .when({ op: 'wm_reference', wm_id: unknown })
      .thenRefused('NOT_FOUND');
  given(...past)
    .when(use(1))
    .thenRefused('NOT_FOUND');
  given(...past)
    .when(useItem(2))
    .thenRefused('NOT_FOUND');
});

test('I1 forgetting an entry is an event that names it, and the entry never comes back', () => {
  const past = given(...started)
    .when(insert('a'), insert('b'), use(1), use(1))
    .events();
  given(...started, ...past)
    .when(forget(1))
    .then({ type: 'wm_forgotten', data: { wm_id: wm(1), tick: 0 } });
  const after = given(...started, ...past).when(forget(1), tick, insert('c'));
  after.thenTypes('wm_forgotten', 'ticked', 'wm_inserted');
  expect(jobView(after.state()).wm.map((entry) => entry.wm_id)).toStrictEqual([wm(3), wm(2)]);
});

test('I1 forgetting an item empties its place in the CWM and its share of the budget', () => {
  const state = given(...started, ...consolidated)
    .when(forgetItem(1))
    .state();
  expect(jobView(state).cwm).toMatchObject({ items: [], token_estimate: 0 });
});

test('J7 a forgotten fact leaves no episode at the end of the job', () => {
  given(...started)
    .when(insert('a'), use(1), forget(1), end)
    .thenTypes('wm_inserted', 'wm_referenced', 'wm_forgotten', 'job_ended', 'episodic_summary');
});

test('I1 forgetting a missing entry or item is NOT_FOUND, and after the end JOB_ENDED', () => {
  const past = [...started, ...consolidated];
  for (const command of [forget(1), forget(2), forgetItem(2)])
    given(...past)
      .when(command)
      .thenRefused('NOT_FOUND');
  for (const command of [forget(1), forgetItem(1)])
    given(...past)
      .when(end, command)
      .thenRefused('JOB_ENDED');
});

test('J3 every outcome of a tick is an event of its own, in the order of the rules', () => {
  // At tick 2: entry 2 is promoted, item 1 returns, entry 3 expires, item 4 ages, and the budget of 8 tokens
  // is enforced.
  const outcome = given().when(
    start({ cwm_ttl_ticks: 1, cwm_token_budget: 8 }),
    insert('a'),
    insert('b'),
    insert('c', 'temp', 2),
    insert('d'),
    ...[1, 1, 4, 4].map(use),
    tick,
    insert('e'.repeat(30)),
    ...[2, 2, 2, 5, 5].map(use),
    ...[1, 1].map(useItem),
    tick,
  );
  const events = outcome.events();
  const last = events.slice(events.findLastIndex((event) => event.type === 'ticked'));
  expect(last).toStrictEqual([
    { type: 'ticked', data: { tick: 2 } },
    { type: 'promotion_event', data: { wm_id: wm(2), item_id: item(2), tick: 2 } },
    { type: 'promotion_event', data: { wm_id: wm(5), item_id: item(5), tick: 2 } },
    {
      type: 'cwm_returned',
      data: { item_id: item(1), wm_id: wm(6), ttl_ticks: 3, tick: 2 },
    },
    { type: 'wm_expired', data: { wm_id: wm(3), tick: 2 } },
    { type: 'cwm_expired', data: { item_id: item(4), tick: 2 } },
    { type: 'cwm_evicted', data: { item_id: item(5), tick: 2, token_estimate: 8 } },
  ] satisfies JobEvent[]);
  const view = jobView(outcome.state());
  expect(view.cwm.items.map((kept) => [kept.cwm_id_item, kept.ttl_ticks])).toStrictEqual([
    [item(2), 1],
  ]);
  expect(view.wm.map((entry) => [entry.wm_id, entry.ttl_ticks, entry.references])).toStrictEqual([
    [wm(6), 3, 0],
  ]);
});

test('J3 an entry that is referenced at its last tick is promoted and does not expire', () => {
  given(...started)
    .when(insert('a', 'fact', 1), use(1), use(1), tick)
    .thenTypes('wm_inserted', 'wm_referenced', 'wm_referenced', 'ticked', 'promotion_event');
});

test('J3 a CWM item that was referenced since the last tick does not age', () => {
  const past = [...started, ...consolidated];
  const ttl = (commands: readonly JobCommand[]) =>
    jobView(
      given(...past)
        .when(...commands)
        .state(),
    ).cwm.items.map((kept) => kept.ttl_ticks);
  expect(ttl([])).toStrictEqual([10]);
  expect(ttl([tick])).toStrictEqual([9]);
  expect(ttl([useItem(1)])).toStrictEqual([10]);
  expect(ttl([useItem(1), tick])).toStrictEqual([10]);
  expect(ttl([useItem(1), tick, tick])).toStrictEqual([9]);
});

test('J3 a CWM item without references expires after its ttl', () => {
  const past = [...started, ...consolidated];
  const events = given(...past)
    .when(...ticks(10))
    .events();
  expect(events.at(-1)).toStrictEqual({
    type: 'cwm_expired',
    data: { item_id: item(1), tick: 11 },
  });
  expect(events.filter((event) => event.type !== 'ticked')).toHaveLength(1);
});

test('J4 an entry keeps its value, its type and its references when it is promoted to CWM', () => {
  const state = given(...started, ...consolidated)
    .when(useItem(1))
    .state();
  expect(jobView(state).cwm).toStrictEqual({
    cwm_id: `cwm:${SEED}`,
    topic: '',
    items: [
      {
        cwm_id_item: item(1),
        type: 'fact',
        value: 'Rome',
        promoted_from_wm: true,
        ttl_ticks: 10,
        references: 3,
      },
    ],
    token_estimate: 2,
  });
});

test('J4 a second promotion of the same wm_id is a PROMOTION_LOOP', () => {
  const again: JobEvent[] = [
    {
      type: 'wm_inserted',
      data: { wm_id: wm(1), type: 'fact', value: 'Rome', created_at_tick: 1, ttl_ticks: 3 },
    },
    { type: 'wm_referenced', data: { wm_id: wm(1), tick: 1 } },
    { type: 'wm_referenced', data: { wm_id: wm(1), tick: 1 } },
  ];
  given(...started, ...consolidated, ...again)
    .when(tick)
    .thenRefused('PROMOTION_LOOP');
});

test('J4 only references within the window count towards a promotion', () => {
  const promotes = (references: number, window: number, usedAt: readonly number[], at: number) => {
    const commands = [start({ promotion_references: references, promotion_window: window })];
    const run = [...commands, insert('a', 'fact', 100)];
    for (let now = 0; now < at; now += 1)
      run.push(...usedAt.filter((used) => used === now).map(() => use(1)), tick);
    return given()
      .when(...run)
      .events()
      .some((event) => event.type === 'promotion_event');
  };
  expect(promotes(3, 2, [0, 1, 1], 2)).toBe(true);
  expect(promotes(3, 2, [0, 1, 2], 3)).toBe(false);
  expect(promotes(3, 2, [0, 1, 2, 2], 3)).toBe(true);
  expect(promotes(1, 1, [5], 6)).toBe(true);
  expect(promotes(2, 1, [4, 5], 6)).toBe(false);
});

test('J5 the token estimate is a quarter of the UTF-8 bytes of the canonical value, rounded up', () => {
  const estimate = (value: string) =>
    jobView(given().when(start(), insert(value), use(1), use(1), tick).state()).cwm.token_estimate;
  expect(estimate('ab')).toBe(1);
  expect(estimate('abc')).toBe(2);
  expect(estimate('€€')).toBe(2);
});

test('J5 if the CWM is over its budget, the least referenced items leave first, and of equally referenced items the oldest', () => {
  const events = given()
    .when(
      start({ cwm_token_budget: 3 }),
      ...['a', 'b', 'c', 'd', 'e'].map((value) => insert(value)),
      ...[1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5].map(use),
      tick,
    )
    .events();
  expect(
    events.filter((event) => event.type === 'cwm_evicted').map((event) => event.data.item_id),
  ).toStrictEqual([item(2), item(3)]);
});

test('J5 a CWM item with many references in one tick returns to WM as a new entry that names the item', () => {
  const outcome = given(...started, ...consolidated).when(useItem(1), useItem(1), tick);
  const view = jobView(outcome.state());
  expect(view.cwm.items).toStrictEqual([]);
  expect(view.wm).toStrictEqual([
    {
      wm_id: wm(2),
      type: 'fact',
      value: 'Rome',
      created_at_tick: 2,
      ttl_ticks: 3,
      references: 0,
      returned_from: item(1),
    },
  ]);
});

test('J5 references that are spread over two ticks do not return an item to WM', () => {
  given(...started, ...consolidated)
    .when(useItem(1), tick, useItem(1), tick)
    .thenTypes('cwm_referenced', 'ticked', 'cwm_referenced', 'ticked');
});

test('J5 an item stays in CWM as long as WM is full', () => {
  const full = Array.from({ length: 1_000 }, (_, index) => insert(index, 'context', 9));
  given(...started, ...consolidated)
    .when(...full, useItem(1), useItem(1), tick)
    .thenTypes(
      ...Array<'wm_inserted'>(1_000).fill('wm_inserted'),
      'cwm_referenced',
      'cwm_referenced',
      'ticked',
    );
});

test('J6 a new goal becomes the topic and ages every item that shares no token with it', () => {
  const past = given()
    .when(start(), insert({ city: 'Rome' }), insert('trains'), ...[1, 1, 2, 2].map(use), tick)
    .events();
  const outcome = given(...past).when(goal('A weekend in ROME'));
  outcome.then(
    { type: 'goal_set', data: { goal: 'A weekend in ROME', tick: 1 } },
    { type: 'cwm_aged', data: { item_id: item(2), tick: 1 } },
  );
  const { topic, items } = jobView(outcome.state()).cwm;
  expect(topic).toBe('A weekend in ROME');
  expect(items.map((kept) => kept.ttl_ticks)).toStrictEqual([10, 9]);
});

test('J6 an item expires at once if a goal reduces its ttl to zero', () => {
  const past = given()
    .when(start({ cwm_ttl_ticks: 1 }), insert('trains'), use(1), use(1), tick)
    .events();
  given(...past)
    .when(goal('Rome'))
    .then(
      { type: 'goal_set', data: { goal: 'Rome', tick: 1 } },
      { type: 'cwm_aged', data: { item_id: item(1), tick: 1 } },
      { type: 'cwm_expired', data: { item_id: item(1), tick: 1 } },
    );
});

test('J6 a goal also ages items that were referenced since the last tick, by exactly one tick', () => {
  const state = given(...started, ...consolidated)
    .when(useItem(1), goal('other'), tick)
    .state();
  expect(jobView(state).cwm.items.map((kept) => kept.ttl_ticks)).toStrictEqual([9]);
});

test('P5 a sealed value shares no token with a goal, and its sealed form counts in the token budget', () => {
  const sealed = { jwe: 'e..i.c.t', type: 'email' };
  const past = given()
    .when(start(), { op: 'wm_insert', type: 'fact', sealed }, ...[1, 1].map(use), tick)
    .events();
  given(...past)
    .when(goal('email'))
    .thenTypes('goal_set', 'cwm_aged');
  const { items, token_estimate } = jobView(
    given(...past)
      .when()
      .state(),
  ).cwm;
  expect(items[0]?.sealed).toStrictEqual(sealed);
  expect(token_estimate).toBe(Math.ceil(JSON.stringify(sealed).length / 4));
});
