import { expect, test } from '@jest/globals';
import { MemoryWorld } from './memory-contract-world.js';

const KEPT = 'kept_by:retention_rule';

test('M10, M16 in a store other than the session’s, the retention tag names the rule under which an item was stored', () => {
  const world = new MemoryWorld();
  world.say({
    user_text: 'i prefer tea, remember this for me',
    policy: { forget_policy: 'decay' },
  });
  world.say({ user_text: 'i like coffee', policy: { forget_policy: 'decay' } });
  world.say({
    user_text: 'i want milk, save this for me',
    user_id: 'u2',
    policy: { forget_policy: 'never' },
  });
  const kept = (user_id: string, forget_policy: 'never' | 'decay') =>
    world
      .recall({ user_id, policy: { forget_policy } })
      .items.filter(({ kind }) => kind === 'semantic')
      .map(({ id, meta }) => [id, meta.policy_tags?.includes(KEPT)]);
  expect(kept('u1', 'never')).toStrictEqual([
    ['session:s1:semantic:2', false],
    ['user:u1:semantic:1', true],
  ]);
  expect(kept('u2', 'decay')).toStrictEqual([
    ['session:s1:semantic:2', true],
    ['user:u2:semantic:1', false],
  ]);
});

test('M13 a promotion records its border checks in the session’s stream, and its changes in the target’s stream', () => {
  const world = new MemoryWorld();
  const { trace } = world.say({ user_text: 'I prefer tea, remember this for me' });
  const checks = (stream: string) =>
    (world.streams.get(stream) ?? []).flatMap((event) =>
      event.type === 'memory_border_check' ? [[event.data.action, event.data.from_space]] : [],
    );
  expect(checks('memory-user:u1')).toStrictEqual([]);
  const told = trace.flatMap(({ type, action, from_space }) =>
    type === 'memory_border_check' ? [[action, from_space]] : [],
  );
  expect(told.slice(-2)).toStrictEqual([
    ['promote', 'session'],
    ['phase_start', 'user'],
  ]);
  expect(checks('memory-session:s1')).toStrictEqual(told);
  const changes = world.streams.get('memory-user:u1')?.map(({ type }) => type);
  expect(changes).toStrictEqual([
    'promotion_received',
    'memory_phase_started',
    'item_stored',
    'promotion_settled',
  ]);
});
