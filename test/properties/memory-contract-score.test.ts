import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byteOrder } from '#domain/determinism/ids.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { keyed, noKeys, withKey, withoutKey } from '#domain/key-map.js';
import { bestOf } from '#domain/memory-contract/recall/semantic-score.js';
import { type StoredItem, StoredList } from '#domain/memory-contract/store/stored-list.js';
import { normalText } from '#domain/memory-contract/utterance/text.js';
import { semanticItem } from '#test/domain/memory-item.js';

const itemOf = (text: string, n: number, importance: number): MemoryItem =>
  semanticItem({
    ...{ id: `session:s:semantic:${n}`, text, created_at: n, importance },
    phase_id: n > 8 && n < 500 ? 'phase-2' : 'phase-1',
  });

const words = fc.array(fc.constantFrom('tea', 'rain', 'Go!', 'a', ''), { maxLength: 3 });
const said = fc.tuple(words, fc.integer({ min: 0, max: 5 }));
const items = fc
  .oneof(
    fc.array(said, { maxLength: 20 }),
    // A list in several blocks, in which few items have another importance or another text.
    fc
      .tuple(said, said, fc.integer({ min: 300, max: 1_000 }), fc.array(fc.nat(1_000)))
      .map(([one, other, length, others]) =>
        Array.from({ length }, (_, n) => (others.includes(n) ? other : one)),
      ),
  )
  .map((list) => list.map(([said, importance], n) => itemOf(said.join(' '), n + 1, importance)));

/** The score as SPEC M17 defines it, written without optimisation. */
function scoreOf(item: MemoryItem, query: string, newest: number): number {
  const [wanted, text] = [normalText(query), normalText(item.text)];
  const shared = wanted.split(' ').some((word) => text.split(' ').includes(word));
  const matches = wanted === '' || text === '' ? 0 : text.includes(wanted) ? 2 : shared ? 1 : 0;
  const age = newest - item.created_at;
  const recency = age <= 2 ? 2 : age <= 5 ? 1 : 0;
  return matches + recency + (item.importance >= 4 ? 2 : item.importance >= 2 ? 1 : 0);
}

const stored = (item: MemoryItem): StoredItem => ({
  item,
  retention: { mode: 'never', ttl_ticks: null },
});

test('M17 selecting the best items gives the same items as sorting all items', () => {
  const limits = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(items, words, limits, (all, asked, limit) => {
      const query = asked.join(' ');
      const phaseRank = ({ meta }: MemoryItem) => (meta.phase_id === 'phase-2' ? 0 : 1);
      const isExpired = ({ created_at }: MemoryItem) => created_at % 7 === 0;
      const candidates = all.filter((item) => !isExpired(item));
      const newest = Math.max(0, ...candidates.map(({ created_at }) => created_at));
      const sorted = candidates
        .map((item) => ({ item, score: scoreOf(item, query, newest) }))
        .sort(
          (left, right) =>
            phaseRank(left.item) - phaseRank(right.item) ||
            right.score - left.score ||
            right.item.created_at - left.item.created_at ||
            byteOrder(left.item.id, right.item.id),
        )
        .slice(0, limit);
      const best = bestOf(
        StoredList.of(all.map(stored)),
        { text: query },
        {
          rank: (phaseId) => ['phase-2', 'phase-1'].indexOf(phaseId),
          isExpired: ({ item }) => isExpired(item),
        },
        limit,
      );
      expect(best.map(({ item, score }) => ({ item, score }))).toStrictEqual(sorted);
      for (const { score, reasons } of best) expect(score === 0).toBe(reasons[0] === 'active_rule');
    }),
  );
});

test('M15 the key map holds the id of the last item of each key, until that item is deleted', () => {
  const change = fc.tuple(fc.boolean(), fc.string({ maxLength: 2 }), fc.constantFrom('1', '2'));
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const model = new Map<string, string>();
      let map = noKeys();
      for (const [adds, key, id] of changes) {
        map = adds ? withKey(map, key, id) : withoutKey(map, key, id);
        if (adds) model.set(key, id);
        else if (model.get(key) === id) model.delete(key);
      }
      for (const [, key] of changes) expect(keyed(map, key)).toBe(model.get(key));
    }),
  );
});

test('M1 a stored list has the items of an array after any additions and removals', () => {
  const items = fc.integer({ min: 0, max: 700 });
  fc.assert(
    fc.property(items, fc.array(fc.nat(800)), items, (count, removed, more) => {
      const all = Array.from({ length: count + more }, (_, n) => stored(itemOf('tea', n + 1, 1)));
      const idOf = (n: number): string => itemOf('', n, 1).id;
      const isKept = ({ item }: StoredItem): boolean => !removed.map(idOf).includes(item.id);
      const less = removed.reduce(
        (list, n) => list.without(idOf(n)),
        StoredList.of(all.slice(0, count)),
      );
      const list = all.slice(count).reduce((before, one) => before.with(one), less);
      const model = [...all.slice(0, count).filter(isKept), ...all.slice(count)];
      expect([...list]).toStrictEqual(model);
      expect(list.length).toBe(model.length);
      for (const n of removed)
        expect(list.get(idOf(n))).toBe(model.find(({ item }) => item.id === idOf(n)));
    }),
    { numRuns: 30 },
  );
});
