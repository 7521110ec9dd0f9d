import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SemImage } from '#domain/sem/sem-image.js';
import { snapshotHash, snapshotLine } from '#domain/sem/snapshot.js';

const key = fc
  .tuple(fc.constantFrom('a', 'a-b', 'a_b', 'a0', 'ab', 'z'), fc.constantFrom('x', 'x_1', 'y'))
  .map(([id, attribute]) => `world/fact/${id}/${attribute}`);
const value = fc.oneof(
  fc.string(),
  fc.string({ minLength: 9_000, maxLength: 15_000 }),
  fc.integer(),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('set' as const), key, value }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('hash' as const) }) },
);
const TIMESTAMP = '2025-11-29T12:00:00.000Z';

test('the snapshot image has the same hash as the sorted lines, after any sequence of changes and hash computations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const image = new SemImage();
      const lines = new Map<string, string>();
      for (const change of steps) {
        if (change.op === 'set') {
          const line = snapshotLine(change.key, { value: change.value }, TIMESTAMP);
          lines.set(change.key, line);
          image.set(change.key, line);
        } else if (change.op === 'delete') {
          lines.delete(change.key);
          image.delete(change.key);
        } else {
          expect(image.hash()).toBe(snapshotHash([...lines.values()]));
        }
      }
      expect(image.hash()).toBe(snapshotHash([...lines.values()]));
      expect(SemImage.of(lines).hash()).toBe(image.hash());
    }),
  );
});
