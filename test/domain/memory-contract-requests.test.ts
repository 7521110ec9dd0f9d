import { expect, test } from '@jest/globals';
import { fold } from '#domain/decider.js';
import type { JsonObject } from '#domain/json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { storeAtTick, storeView } from '#domain/memory-contract/trace/view.js';
import { MemoryWorld, type SaidTurn } from './memory-contract-world.js';
import { ensure } from '#test/support/ensure.js';

const told = (trace: readonly JsonObject[], ...types: readonly string[]) =>
  trace.filter(({ type }) => types.some((wanted) => wanted === type));
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
/** This turn advances two ticks and is never recalled. */
const OK: SaidTurn = { user_text: 'ok', memory: { short_term: 0 } };

test('M1 an item that is denied or not stored still uses an id and a tick', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My editor is vim' });
  world.say({ user_text: 'my password is x, I prefer it' });
  const { written } = world.say({ user_text: 'My editor is vim' });
  expect(written.map(({ id, created_at }) => [id, created_at])).toStrictEqual([
    ['session:s1:short_term:5', 9],
    ['session:s1:short_term:6', 10],
    ['session:s1:semantic:3', 11],
  ]);
  // The profile item was a duplicate: it has no event, but it uses an id and a tick (M9).
  expect(world.state('session', 's1').tick).toBe(12);
  expect(world.state('session', 's1').counters.profile).toBe(2);
});

test('M8, M13 a write that is refused at the border changes nothing else', () => {
  const { written, trace } = new MemoryWorld().say({
    user_text: 'my password is x',
    policy: { spaces: { write_spaces: [] } },
  });
  expect(written).toStrictEqual([]);
  expect(told(trace, 'memory_denied')).toStrictEqual([]);
  expect(told(trace, 'memory_border_check').map(({ reason }) => reason)).toStrictEqual([
    'allowed',
    'write_space_disallowed',
    'write_space_disallowed',
  ]);
});

test('M9 an item of an older phase takes part in a conflict; its deletion is recorded in the new phase', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I prefer tea' });
  const { trace } = world.say({ user_text: 'I prefer tea', phase: { token: 't1' } });
  const [deleted] = told(trace, 'memory_deleted');
  ensure(deleted?.memory_id === 'session:s1:semantic:1');
  expect(deleted.phase_id).toBe('phase-2');
});

test('M10 in a store other than the session’s, an item expires under the retention rule with which it was stored, not under the reader’s policy', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I like rain, remember this for me', policy: { forget_policy: 'never' } });
  const talk = { user_text: 'I like a, remember this for me', memory: { short_term: 0 } };
  for (const letter of 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
    world.say({ ...talk, user_text: `I like ${letter} today, remember this for me` });
  const kept = ids(storeView(world.state('user', 'u1')).items);
  expect(kept).toContain('user:u1:semantic:1');
  // This item was stored under a decay rule.
  expect(kept).not.toContain('user:u1:semantic:2');
});

test('M10 an expired item of another space is traced after that space’s border check, and deleted in that space only', () => {
  const world = new MemoryWorld();
  const spaces = { read_order: ['session'] } as const;
  world.say({
    user_text: 'I like sun, remember this for me',
    policy: { forget_policy: 'ttl', spaces },
  });
  for (let turn = 0; turn < 25; turn += 1)
    world.say({ user_text: `I like ${turn}, remember this for me`, policy: { spaces } });
  const { trace } = world.recall();
  const at = trace.findIndex(({ from_space }) => from_space === 'user');
  expect(
    trace.slice(at, at + 4).map(({ type, space, memory_id }) => [type, space, memory_id]),
  ).toStrictEqual([
    ['memory_border_check', undefined, undefined],
    ['memory_forget', undefined, 'user:u1:semantic:1'],
    ['memory_deleted', 'user', 'user:u1:semantic:1'],
    ['memory_border_check', undefined, undefined],
  ]);
  const forgets = (stream: string) =>
    (world.streams.get(stream) ?? []).filter(
      ({ type, data }) =>
        type === 'memory_forget' && 'memory_id' in data && data.memory_id.startsWith('user:'),
    ).length;
  expect(['memory-user:u1', 'memory-session:s1'].map(forgets)).toStrictEqual([1, 0]);
  expect(world.streams.get('memory-system:system')).toStrictEqual([]);
});

test('M11 with a window of zero turns, turns are recorded, but neither evicted nor recalled', () => {
  const world = new MemoryWorld();
  for (let turn = 0; turn < 5; turn += 1) world.say(OK);
  expect(storeView(world.state('session', 's1')).items).toHaveLength(10);
  expect(world.recall({ memory: { short_term: 0 } }).items).toStrictEqual([]);
});

test('M11 the summary quotes six of the evicted items, and is cut to its maximum length', () => {
  const world = new MemoryWorld();
  for (let turn = 0; turn < 4; turn += 1)
    world.say({ ...OK, user_text: `It rains ${turn} ${'x'.repeat(90)}` });
  const { written } = world.say({ user_text: 'ok', memory: { short_term: 1 } });
  const summary = written.find(({ source }) => source === 'system');
  ensure(summary?.meta.summary_of?.length === 9);
  expect(summary.text).toHaveLength(243);
  expect(summary.text.startsWith('user: It rains 0 xx')).toBe(true);
  expect(summary.meta.policy_tags).toBeUndefined();
});

test('M12 each step of a promotion is taken once, however often it is retried', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My name is Ada, remember this for me' });
  for (const [stream, events] of world.streams) {
    const state = fold(memoryDecider, memoryDecider.initialState(stream), events);
    for (const event of events) {
      if (event.type !== 'promotion_received' && event.type !== 'interaction_finished') continue;
      expect(memoryDecider.decide(memoryDecider.commandOf(event), state)).toStrictEqual([]);
    }
  }
});

test('M12 the source of a promotion stays if the copy loses a conflict in its target or changes nothing there', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'Actually my name is Ada, remember this for me' });
  const { written, trace } = world.say({
    session_id: 's2',
    memory: { semantic: false },
    user_text: 'My name is Grace. Remember this for me',
  });
  expect(told(trace, 'memory_promoted', 'memory_deleted')).toStrictEqual([]);
  const [conflict] = told(trace, 'memory_conflict');
  ensure(conflict?.winner_id === 'user:u1:profile:1');
  expect(conflict.loser_id).toBe('user:u1:profile:2');
  expect(ids(written).slice(2)).toStrictEqual(['session:s2:profile:1']);
  const same = world.say({
    session_id: 's3',
    memory: { semantic: false },
    user_text: 'My name is Ada. Remember this for me',
  });
  expect(told(same.trace, 'memory_promoted', 'memory_conflict')).toStrictEqual([]);
  expect(ids(storeView(world.state('session', 's3')).items)).toContain('session:s3:profile:1');
  expect(world.state('user', 'u1').counters.profile).toBe(3);
});

test('M12 a copy keeps the fields and meta of its source, and gets its own phase, id and expiry', () => {
  const world = new MemoryWorld();
  const { written } = world.say({
    user_text: 'I like rain, remember this for me',
    phase: { token: 't1', name: 'first' },
    policy: { forget_policy: 'ttl' },
  });
  const [source, copy] = written.slice(-2);
  expect({ ...copy, ...{ id: '', created_at: 0 }, meta: undefined }).toStrictEqual({
    ...source,
    ...{ id: '', created_at: 0 },
    meta: undefined,
  });
  const { phase_name: _, ...meta } = source?.meta ?? {};
  expect(copy?.meta).toStrictEqual({
    ...meta,
    space: 'user',
    owner: 'u1',
    phase_id: 'phase-1',
    phase_started_at: 1,
    phase_reason: 'auto',
    promoted_from: source?.id,
    promotion_reason: 'hint:remember_for_me',
    expires_at: 27,
  });
});

test('M14 a phase token starts no second phase while its phase is current, but starts a new phase when the token returns after another phase', () => {
  const world = new MemoryWorld();
  const phases = ['a', 'a', 'b', 'a'].map(
    (token) => world.say({ ...OK, phase: { token } }).written[0]?.meta.phase_id,
  );
  expect(phases).toStrictEqual(['phase-1', 'phase-1', 'phase-2', 'phase-3']);
  expect(world.state('session', 's1').phases[0]?.reason).toBe('manual');
});

test('M14 with phases disabled, an interaction still starts a store’s first phase, and a recall does not', () => {
  const world = new MemoryWorld();
  const policy = { phase_enabled: false };
  const recalled = world.recall({ policy, phase: { token: 'a' } });
  expect(told(recalled.trace, 'memory_recall')[0]?.current_phase).toBeNull();
  expect(told(recalled.trace, 'memory_recall')[0]?.phase_counts).toStrictEqual({});
  const { trace } = world.say({ ...OK, policy, phase: { token: 'a' } });
  expect(trace.slice(1, 3).map(({ type, reason }) => [type, reason])).toStrictEqual([
    ['memory_border_check', 'phase_disabled'],
    ['memory_phase_started', 'auto'],
  ]);
});

test('M15 the key map names the last added item of a key, and only the deletion of that item removes the key', () => {
  const world = new MemoryWorld();
  // The turn and the semantic item have the same key; the semantic item is added last.
  world.say({ user_text: 'I prefer tea', memory: { short_term: 2 } });
  world.say({ ...OK, user_text: 'It rains', memory: { short_term: 2 }, phase: { token: 'b' } });
  world.say({
    user_text: 'I prefer tea',
    memory: { semantic: false, short_term: 2 },
    phase: { token: 'c' },
  });
  const { trace } = world.say({ ...OK, phase_diff: { from: 'phase-2', to: 'phase-3' } });
  const [diff] = told(trace, 'memory_phase_diff');
  const [first] = diff?.top_changes as readonly JsonObject[];
  expect(first).toStrictEqual({
    change: 'replaced',
    dedupe_key: 'context:noted',
    from_id: 'session:s1:short_term:4',
    to_id: 'session:s1:short_term:8',
    from_kind: 'short_term',
    to_kind: 'short_term',
  });
  const [, second] = diff?.top_changes as readonly JsonObject[];
  ensure(second?.from_kind === 'semantic');
  expect(second.to_kind).toBe('short_term');
});

test('M16 the hash of an answer covers the kinds and ids of its items', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My name is Ada' });
  const { items, trace } = world.recall();
  const pairs = items.map(({ kind, id }) => `${kind}:${id}`);
  expect(trace[0]?.deterministic_hash).toBe(sha256Hex(pairs.join('|')));
});

test('M16, M20 a recall without a trace records nothing if nothing changes', () => {
  const world = new MemoryWorld();
  const length = () => world.streams.get('memory-session:s1')?.length;
  expect(world.recall({ trace: false }).trace).toStrictEqual([]);
  expect(length()).toBe(0);
  world.recall({ trace: false, phase: { token: 'a' } });
  expect(world.state('session', 's1').phases).toHaveLength(1);
  const started = length();
  const { items } = world.recall({ trace: false });
  expect([items, length()]).toStrictEqual([[], started]);
});

test('M20 a recall without a trace returns the same items as one with a trace, also where items expire and a phase starts', () => {
  const [traced, untraced] = [new MemoryWorld(), new MemoryWorld()];
  const asking = {
    memory: { short_term: 3 },
    policy: {
      forget_policy: 'ttl',
      retention: { semantic: { fact: { mode: 'ttl', ttl_ticks: 4 } } },
    },
  } as const;
  for (const user_text of ['My name is Ada', 'I prefer tea over coffee', 'We decided', 'thanks']) {
    for (const world of [traced, untraced]) world.say({ user_text, ...asking });
    for (const more of [
      {},
      { phase: { token: user_text } },
      { policy: { ...asking.policy, allow_cross_phase_recall: true } },
    ]) {
      const recall = { query: 'Ada meets tea', ...asking, ...more };
      const full = traced.recall({ ...recall, trace: true });
      const bare = untraced.recall({ ...recall, trace: false });
      expect(full.trace.length).toBeGreaterThan(0);
      expect(bare).toStrictEqual({ items: full.items, trace: [] });
    }
  }
});

test('M17 the three best-scored items come first, then the newest', () => {
  const world = new MemoryWorld();
  for (const user_text of [
    'I like tea',
    'I like rain',
    'I like rain tea',
    'I like x',
    'I want tea',
  ])
    world.say({ user_text, memory: { short_term: 0 } });
  const { items } = world.recall({ query: 'RAIN tea', memory: { short_term: 0 } });
  expect(
    items.map(({ text, meta }) => [text, meta.score, meta.recall_reason?.slice(0, -1)]),
  ).toStrictEqual([
    ['I want tea', 5, ['matches_query', 'recency', 'importance']],
    ['I like rain tea', 4, ['matches_query', 'importance']],
    ['I like x', 3, ['recency', 'importance']],
  ]);
});

test('M17, P3 a query whose text the trace hides is still used for the search, and is never recorded', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I like the monkey', memory: { short_term: 0 } });
  const { items, trace } = world.recall({ query: 'monkey business' });
  expect(items.find(({ kind }) => kind === 'semantic')?.meta.score).toBe(5);
  expect(trace[0]?.query).toBe('(redacted)');
  const stream = JSON.stringify(world.streams.get('memory-session:s1'));
  expect(stream).not.toContain('business');
});

test('M18 a text with a secret word is stored whole, and the trace leaves out the key of the text', () => {
  const { written, trace } = new MemoryWorld().say({ user_text: 'I like the monkey' });
  expect(written[0]?.text).toBe('I like the monkey');
  const [shown] = trace[0]?.written as readonly JsonObject[];
  ensure(shown?.text === '(redacted)');
  expect((shown.meta as JsonObject).dedup_key).toBe('preference:(redacted)');
});

test('M18 no stream contains a secret from any author', () => {
  const world = new MemoryWorld();
  world.say({
    user_text: 'my password is hunter2',
    ai_text: 'The secret hunter2 is safe',
    tool_events: [{ token: 'hunter2' }],
  });
  world.say({
    user_text: 'I am at ada@example.org',
    ai_text: 'Mail to ada@example.org',
    tool_events: [{ to: 'ada@example.org' }],
    flagged: ['user', 'ai', 'tool'],
  });
  const streams = JSON.stringify([...world.streams]);
  expect(streams).not.toMatch(/hunter2|example\.org/);
});

test('a command for another store is refused, and so is one with an unknown policy', () => {
  const world = new MemoryWorld();
  world.say(OK);
  const [input] = world.streams.get('memory-session:s1') ?? [];
  ensure(input?.type === 'interaction_recorded');
  const command = memoryDecider.commandOf(input);
  const decide = (stream: string, of = command) =>
    memoryDecider.decide(of, memoryDecider.initialState(stream));
  expect(() => decide('memory-session:s2')).toThrow(Refusal);
  expect(() => decide('memory-user:s1')).toThrow(Refusal);
  const { policy: _, ...rest } = input.data;
  expect(() => decide('memory-session:s1', { op: 'record_interaction', ...rest })).toThrow(Refusal);
});

test('X3 a store can be read at an earlier tick', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I prefer tea' });
  world.say({ user_text: 'I prefer tea' });
  const events = world.streams.get('memory-session:s1') ?? [];
  const then = storeAtTick('memory-session:s1', events, 4);
  expect(then.tick).toBe(4);
  expect(ids(storeView(then).items)).toStrictEqual([
    'session:s1:short_term:1',
    'session:s1:short_term:2',
    'session:s1:semantic:1',
  ]);
});
