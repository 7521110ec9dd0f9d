import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '#domain/decider.js';
import type { JsonObject } from '#domain/json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { storeAtTick, storeView } from '#domain/memory-contract/trace/view.js';
import { MemoryWorld, type SaidTurn } from './memory-contract-world.js';

const told = (trace: readonly JsonObject[], ...types: readonly string[]) =>
  trace.filter(({ type }) => types.some((wanted) => wanted === type));
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
/** Lets two ticks pass, and is never recalled. */
const OK: SaidTurn = { user_text: 'ok', memory: { short_term: 0 } };

test('M1 an item that is denied or not stored has used its id and its tick', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My editor is vim' });
  world.say({ user_text: 'my password is x, I prefer it' });
  const { written } = world.say({ user_text: 'My editor is vim' });
  assert.deepEqual(
    written.map(({ id, created_at }) => [id, created_at]),
    [
      ['session:s1:short_term:5', 9],
      ['session:s1:short_term:6', 10],
      ['session:s1:semantic:3', 11],
    ],
  );
  // The profile item said nothing new: no event, but its id and tick are used (M9).
  assert.equal(world.state('session', 's1').tick, 12);
  assert.equal(world.state('session', 's1').counters.profile, 2);
});

test('M8, M13 a write refused at the border ends there', () => {
  const { written, trace } = new MemoryWorld().say({
    user_text: 'my password is x',
    policy: { spaces: { write_spaces: [] } },
  });
  assert.deepEqual(written, []);
  assert.deepEqual(told(trace, 'memory_denied'), []);
  assert.deepEqual(
    told(trace, 'memory_border_check').map(({ reason }) => reason),
    ['allowed', 'write_space_disallowed', 'write_space_disallowed'],
  );
});

test('M9 an item of an older phase takes part in a conflict, and the deletion is the new phase’s', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I prefer tea' });
  const { trace } = world.say({ user_text: 'I prefer tea', phase: { token: 't1' } });
  const [deleted] = told(trace, 'memory_deleted');
  assert.equal(deleted?.memory_id, 'session:s1:semantic:1');
  assert.equal(deleted.phase_id, 'phase-2');
});

test('M10 outside the session the retention that an item was stored under decides, not the reader’s', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I like rain, remember this for me', policy: { forget_policy: 'never' } });
  const talk = { user_text: 'I like a, remember this for me', memory: { short_term: 0 } };
  for (const letter of 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
    world.say({ ...talk, user_text: `I like ${letter} today, remember this for me` });
  const kept = ids(storeView(world.state('user', 'u1')).items);
  assert.ok(kept.includes('user:u1:semantic:1'));
  assert.ok(!kept.includes('user:u1:semantic:2'), 'stored under a decay');
});

test('M10 what expires in another space is told after its border check, and kept by that space alone', () => {
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
  assert.deepEqual(
    trace.slice(at, at + 4).map(({ type, space, memory_id }) => [type, space, memory_id]),
    [
      ['memory_border_check', undefined, undefined],
      ['memory_forget', undefined, 'user:u1:semantic:1'],
      ['memory_deleted', 'user', 'user:u1:semantic:1'],
      ['memory_border_check', undefined, undefined],
    ],
  );
  const forgets = (stream: string) =>
    (world.streams.get(stream) ?? []).filter(
      ({ type, data }) =>
        type === 'memory_forget' && 'memory_id' in data && data.memory_id.startsWith('user:'),
    ).length;
  assert.deepEqual(['memory-user:u1', 'memory-session:s1'].map(forgets), [1, 0]);
  assert.deepEqual(world.streams.get('memory-system:system'), []);
});

test('M11 with a window of no turns they are recorded, neither evicted nor recalled', () => {
  const world = new MemoryWorld();
  for (let turn = 0; turn < 5; turn += 1) world.say(OK);
  assert.equal(storeView(world.state('session', 's1')).items.length, 10);
  assert.deepEqual(world.recall({ memory: { short_term: 0 } }).items, []);
});

test('M11 six of the evicted items are quoted, and the whole is cut', () => {
  const world = new MemoryWorld();
  for (let turn = 0; turn < 4; turn += 1)
    world.say({ ...OK, user_text: `It rains ${turn} ${'x'.repeat(90)}` });
  const { written } = world.say({ user_text: 'ok', memory: { short_term: 1 } });
  const summary = written.find(({ source }) => source === 'system');
  assert.equal(summary?.meta.summary_of?.length, 9);
  assert.equal(summary.text.length, 243);
  assert.ok(summary.text.startsWith('user: It rains 0 xx'));
  assert.equal(summary.meta.policy_tags, undefined);
});

test('M12 each step of a promotion is taken once, whatever is tried again', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My name is Ada, remember this for me' });
  for (const [stream, events] of world.streams) {
    const state = fold(memoryDecider, memoryDecider.initialState(stream), events);
    for (const event of events) {
      if (event.type !== 'promotion_received' && event.type !== 'interaction_finished') continue;
      assert.deepEqual(memoryDecider.decide(memoryDecider.commandOf(event), state), []);
    }
  }
});

test('M12 a copy that loses in its target, or changes nothing there, leaves the source where it is', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'Actually my name is Ada, remember this for me' });
  const { written, trace } = world.say({
    session_id: 's2',
    memory: { semantic: false },
    user_text: 'My name is Grace. Remember this for me',
  });
  assert.deepEqual(told(trace, 'memory_promoted', 'memory_deleted'), []);
  const [conflict] = told(trace, 'memory_conflict');
  assert.equal(conflict?.winner_id, 'user:u1:profile:1');
  assert.equal(conflict.loser_id, 'user:u1:profile:2');
  assert.deepEqual(ids(written).slice(2), ['session:s2:profile:1']);
  const same = world.say({
    session_id: 's3',
    memory: { semantic: false },
    user_text: 'My name is Ada. Remember this for me',
  });
  assert.deepEqual(told(same.trace, 'memory_promoted', 'memory_conflict'), []);
  assert.ok(ids(storeView(world.state('session', 's3')).items).includes('session:s3:profile:1'));
  assert.equal(world.state('user', 'u1').counters.profile, 3);
});

test('M12 a copy keeps its source’s fields and meta, with a phase, an id and an end of its own', () => {
  const world = new MemoryWorld();
  const { written } = world.say({
    user_text: 'I like rain, remember this for me',
    phase: { token: 't1', name: 'first' },
    policy: { forget_policy: 'ttl' },
  });
  const [source, copy] = written.slice(-2);
  assert.deepEqual(
    { ...copy, ...{ id: '', created_at: 0 }, meta: undefined },
    { ...source, ...{ id: '', created_at: 0 }, meta: undefined },
  );
  const { phase_name: _, ...meta } = source?.meta ?? {};
  assert.deepEqual(copy?.meta, {
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

test('M14 the same token starts no second phase, a returning one does', () => {
  const world = new MemoryWorld();
  const phases = ['a', 'a', 'b', 'a'].map(
    (token) => world.say({ ...OK, phase: { token } }).written[0]?.meta.phase_id,
  );
  assert.deepEqual(phases, ['phase-1', 'phase-1', 'phase-2', 'phase-3']);
  assert.equal(world.state('session', 's1').phases[0]?.reason, 'manual');
});

test('M14 with phases disabled an interaction still gives a store its first, a recall none', () => {
  const world = new MemoryWorld();
  const policy = { phase_enabled: false };
  const recalled = world.recall({ policy, phase: { token: 'a' } });
  assert.equal(told(recalled.trace, 'memory_recall')[0]?.current_phase, null);
  assert.deepEqual(told(recalled.trace, 'memory_recall')[0]?.phase_counts, {});
  const { trace } = world.say({ ...OK, policy, phase: { token: 'a' } });
  assert.deepEqual(
    trace.slice(1, 3).map(({ type, reason }) => [type, reason]),
    [
      ['memory_border_check', 'phase_disabled'],
      ['memory_phase_started', 'auto'],
    ],
  );
});

test('M15 the key map names what was added last, and a deletion takes only that very item out', () => {
  const world = new MemoryWorld();
  // The turn and the semantic item have one key; the latter is added last.
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
  assert.deepEqual(first, {
    change: 'replaced',
    dedupe_key: 'context:noted',
    from_id: 'session:s1:short_term:4',
    to_id: 'session:s1:short_term:8',
    from_kind: 'short_term',
    to_kind: 'short_term',
  });
  const [, second] = diff?.top_changes as readonly JsonObject[];
  assert.equal(second?.from_kind, 'semantic');
  assert.equal(second.to_kind, 'short_term');
});

test('M16 the answer’s hash is that of its kinds and ids', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'My name is Ada' });
  const { items, trace } = world.recall();
  const pairs = items.map(({ kind, id }) => `${kind}:${id}`);
  assert.equal(trace[0]?.deterministic_hash, sha256Hex(pairs.join('|')));
});

test('M16, M20 a recall without a trace records nothing where nothing changes', () => {
  const world = new MemoryWorld();
  const length = () => world.streams.get('memory-session:s1')?.length;
  assert.deepEqual(world.recall({ trace: false }).trace, []);
  assert.equal(length(), 0);
  world.recall({ trace: false, phase: { token: 'a' } });
  assert.equal(world.state('session', 's1').phases.length, 1);
  const started = length();
  const { items } = world.recall({ trace: false });
  assert.deepEqual([items, length()], [[], started]);
});

test('M17 the best three come first by score, then the newest', () => {
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
  assert.deepEqual(
    items.map(({ text, meta }) => [text, meta.score, meta.recall_reason?.slice(0, -1)]),
    [
      ['I want tea', 5, ['matches_query', 'recency', 'importance']],
      ['I like rain tea', 4, ['matches_query', 'importance']],
      ['I like x', 3, ['recency', 'importance']],
    ],
  );
});

test('M17, P3 a query that a trace hides still finds, and is never recorded', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I like the monkey', memory: { short_term: 0 } });
  const { items, trace } = world.recall({ query: 'monkey business' });
  assert.equal(items.find(({ kind }) => kind === 'semantic')?.meta.score, 5);
  assert.equal(trace[0]?.query, '(redacted)');
  const stream = JSON.stringify(world.streams.get('memory-session:s1'));
  assert.ok(!stream.includes('business'));
});

test('M18 a text with a secret word is stored whole and traced without its key', () => {
  const { written, trace } = new MemoryWorld().say({ user_text: 'I like the monkey' });
  assert.equal(written[0]?.text, 'I like the monkey');
  const [shown] = trace[0]?.written as readonly JsonObject[];
  assert.equal(shown?.text, '(redacted)');
  assert.equal((shown.meta as JsonObject).dedup_key, 'preference:(redacted)');
});

test('M18 no secret is in any stream, whoever said it', () => {
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
  assert.ok(!/hunter2|example\.org/.test(streams));
});

test('a command that came to another store, or names an unknown policy, is refused', () => {
  const world = new MemoryWorld();
  world.say(OK);
  const [input] = world.streams.get('memory-session:s1') ?? [];
  assert.ok(input?.type === 'interaction_recorded');
  const command = memoryDecider.commandOf(input);
  const decide = (stream: string, of = command) =>
    memoryDecider.decide(of, memoryDecider.initialState(stream));
  assert.throws(() => decide('memory-session:s2'), Refusal);
  assert.throws(() => decide('memory-user:s1'), Refusal);
  const { policy: _, ...rest } = input.data;
  assert.throws(() => decide('memory-session:s1', { op: 'record_interaction', ...rest }), Refusal);
});

test('X3 a store is read as it was at an earlier tick', () => {
  const world = new MemoryWorld();
  world.say({ user_text: 'I prefer tea' });
  world.say({ user_text: 'I prefer tea' });
  const events = world.streams.get('memory-session:s1') ?? [];
  const then = storeAtTick('memory-session:s1', events, 4);
  assert.equal(then.tick, 4);
  assert.deepEqual(ids(storeView(then).items), [
    'session:s1:short_term:1',
    'session:s1:short_term:2',
    'session:s1:semantic:1',
  ]);
});
