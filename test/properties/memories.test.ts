import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memoriesDecider, type MemoriesCommand } from '#domain/memories/memories.decider.js';
import { memoriesJson, nextMemoryId } from '#domain/memories/state.js';
import { playFor } from '#test/domain/given.js';

const STREAM = `remembered-${'0'.repeat(64)}`;
const at = fc.integer({ min: 0, max: 59 }).map((second) => {
  const digits = String(second).padStart(2, '0');
  return `2026-01-01T00:00:${digits}.000Z`;
});
const words = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('k1', 'k2'))
  .map(([text, key]) => ({
    sealed: { jwe: `${key}.${text}`, type: 'memory' },
    fingerprint: `${key}${text}`,
    tags: [],
  }));
const memory_id = fc
  .nat(3)
  .map((counter) => nextMemoryId({ ...memoriesDecider.initialState(STREAM), counter }));
const command: fc.Arbitrary<MemoriesCommand> = fc.oneof(
  fc.record({ words, at, lives: fc.boolean() }).map(({ words: said, at: time, lives }) => ({
    type: 'remember' as const,
    ...{ owner: 'user:ada', ...said, kept: null, at: time },
    expires_at: lives ? null : time.replace('00:00:', '00:01:'),
  })),
  fc.record({ words, memory_id, at }).map(({ words: said, memory_id: id, at: time }) => ({
    type: 'reword' as const,
    ...{ memory_id: id, ...said, kept: null, at: time },
  })),
  fc
    .record({ type: fc.constantFrom('hide' as const, 'lapse' as const), memory_id, at })
    .map((one) => one),
);
const commands = fc.array(command, { maxLength: 30 });
const play = playFor(memoriesDecider, STREAM);

test('W2 deciding the recorded inputs of memories again gives the same events', () => {
  fc.assert(
    fc.property(commands, (given) => {
      const { events } = play(given);
      const again = play(events.map((event) => memoriesDecider.commandOf(event)));
      expect(again.events).toStrictEqual(events);
    }),
  );
});

test('W2 no two memories that are there have the same text, and the count is theirs', () => {
  fc.assert(
    fc.property(commands, (given) => {
      const { state } = play(given);
      const memories = Object.values(memoriesJson(state).memories);
      expect(state.count).toBe(memories.length);
      // A memory that has expired without an event does not count as there.
      const there = memories.filter(({ expires_at }) => expires_at === null);
      const fingerprints = there.map(({ fingerprint }) => fingerprint);
      expect(new Set(fingerprints).size).toBe(fingerprints.length);
    }),
  );
});
