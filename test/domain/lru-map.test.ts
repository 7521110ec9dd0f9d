import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LruMap } from '#bounded/lru-map.js';

const newMap = (maxBytes: number) =>
  new LruMap<string, string>({ maxBytes, bytesOf: (value) => value.length });

test('the entries that were not used for longest are dropped first', () => {
  const map = newMap(900);
  for (const key of ['a', 'b', 'c', 'd']) map.set(key, 'x'.repeat(100));
  map.get('a');
  map.peek('b');
  map.set('e', 'x'.repeat(100));
  expect([...map.keys()]).toStrictEqual(['d', 'a', 'e']);
});

test('an entry that is larger than the bound is not kept', () => {
  const map = newMap(1_000);
  map.set('small', 'x');
  map.set('large', 'x'.repeat(2_000));
  expect(map.get('large')).toBeUndefined();
  expect(map.bytes).toBe(0);
});

test('a map never exceeds its bound, and its size is the sum of its entries', () => {
  const step = fc.record({
    action: fc.constantFrom('set' as const, 'get' as const, 'delete' as const, 'clear' as const),
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    length: fc.integer({ min: 0, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = newMap(1_000);
      const last = new Map<string, string>();
      for (const { action, key, length } of steps) {
        if (action === 'set') {
          last.set(key, 'x'.repeat(length));
          map.set(key, 'x'.repeat(length));
        } else map[action](key);
        if (action === 'delete') last.delete(key);
        if (action === 'clear') last.clear();
        const kept = [...map.keys()].map((each) => map.peek(each)!);
        expect(map.bytes).toBe(kept.reduce((sum, value) => sum + 100 + value.length, 0));
        expect(map.bytes).toBeLessThanOrEqual(1_000);
        for (const each of map.keys()) expect(map.peek(each)).toBe(last.get(each));
      }
    }),
  );
});
