import { expect, test } from '@jest/globals';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { MemoryWorld } from './memory-contract-world.js';

const sizeOf = (world: MemoryWorld): number =>
  memoryDecider.sizeOf?.(world.state('session', 's1')) ?? 0;

test('the size of a store depends on its items, not on the number of past recalls and turns', () => {
  const world = new MemoryWorld();
  const asked = { memory: { short_term: 2 }, policy: { forget_policy: 'never' as const } };
  for (const user_text of ['One.', 'Two.', 'I prefer tea.']) world.say({ user_text, ...asked });
  const before = sizeOf(world);
  for (let time = 0; time < 20; time += 1) {
    world.recall({ query: 'tea', ...asked });
    world.say({ user_text: `Word ${time}.`, ...asked });
  }
  expect(sizeOf(world)).toBe(before);
  expect(JSON.stringify(world.streams.get('memory-session:s1')).length).toBeGreaterThan(
    20 * before,
  );
  world.say({ user_text: 'I prefer milk.', ...asked });
  expect(sizeOf(world)).toBeGreaterThan(before);
});

test('items that expire together are not recalled, and are deleted over several appends if they are too many for one', () => {
  const world = new MemoryWorld();
  for (let index = 0; index < 250; index += 1)
    world.say({
      user_text: `I prefer word${index}.`,
      memory: { short_term: 2 },
      policy: { forget_policy: 'never' },
    });
  const recalled = (): { told: number; semantic: number } => {
    const { items, trace } = world.recall({ query: 'prefer', policy: { forget_policy: 'ttl' } });
    return {
      told: trace.filter(({ type }) => type === 'memory_forget').length,
      semantic: items.filter(({ kind }) => kind === 'semantic').length,
    };
  };
  // One interaction takes four ticks, so the last seven interactions are younger than 25 ticks.
  expect(recalled()).toStrictEqual({ told: 200, semantic: 3 });
  expect(recalled()).toStrictEqual({ told: 43, semantic: 3 });
  expect(recalled()).toStrictEqual({ told: 0, semantic: 3 });
});
