import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerJson } from '#apps/api/memory-contract/answer-json.js';
import { idsAfter, idsJson, idsSince } from '#domain/memory-contract/id-lists.js';
import { MemoryWorld } from '#test/domain/memory-contract-world.js';

const ids = fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { maxLength: 3 });

const written = (list: readonly string[]): string => `[${idsJson(list).toString()}]`;

test('M11 a list of ids is written as JSON.stringify writes it, whatever it was made of', () => {
  const step = fc.record({
    more: ids,
    lost: ids,
    isWritten: fc.boolean(),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(ids, fc.array(step, { maxLength: 12 }), (first, steps) => {
      let list: readonly string[] = first;
      for (const { more, lost, isWritten, isCut } of steps) {
        if (isWritten) expect(written(list)).toBe(JSON.stringify(list));
        const other = idsAfter(list, lost);
        const longer = idsAfter(list, more);
        expect(longer).toStrictEqual([...list, ...more]);
        if (isCut) expect(idsAfter(list, idsSince(list, longer))).toBe(longer);
        if (isWritten) expect(written(other)).toBe(JSON.stringify(other));
        list = longer;
      }
      expect(written(list)).toBe(JSON.stringify(list));
    }),
  );
});

test('M16, M18 an answer is written as JSON.stringify writes it', () => {
  const texts = [
    ...['I prefer tea – "green" \\ or not', 'my name is Ödön', 'my password is hunter2'],
    ...['remember this for me: I like maps', 'actually I prefer milk', 'Hello'],
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 2 }),
      (said, short_term) => {
        const world = new MemoryWorld();
        for (const user_text of said) {
          const answers = [
            world.say({ user_text, memory: { short_term } }),
            world.recall({ query: user_text, memory: { short_term } }),
          ];
          for (const answer of answers)
            expect(answerJson(answer).bytes.toString()).toBe(JSON.stringify(answer));
        }
      },
    ),
    { numRuns: 30 },
  );
});
