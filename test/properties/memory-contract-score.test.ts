import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byteOrder } from '#domain/determinism/ids.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { keyed, NO_KEYS, withKey, withoutKey } from '#domain/memory-contract/store/key-map.js';
import { bestOf } from '#domain/memory-contract/recall/semantic-score.js';
import type { StoredItem } from '#domain/memory-contract/store/ledger.js';
import { normalText } from '#domain/memory-contract/utterance/text.js';
import { semanticItem } from '#test/domain/memory-item.js';

const itemOf = (text: string, n: number, importance: number): MemoryItem =>
  semanticItem({
    ...{ id: `session:s:semantic:${n}`, text, created_at: n, importance },
    phase_id: n > 8 ? 'phase-2' : 'phase-1',
  });

const words = fc.array(fc.constantFrom('tea', 'rain', 'Go!', 'a', ''), { maxLength: 3 });
const items = fc
  .array(fc.tuple(words, fc.integer({ min: 0, max: 5 })), { maxLength: 20 })
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
    fc.property(items, words, limits, (all, said, limit) => {
      const query = said.join(' ');
      const phaseRank = ({ created_at }: MemoryItem) => (created_at > 8 ? 0 : 1);
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
        all.map(stored),
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
      let map = NO_KEYS;
      for (const [adds, key, id] of changes) {
        map = adds ? withKey(map, key, id) : withoutKey(map, key, id);
        if (adds) model.set(key, id);
        else if (model.get(key) === id) model.delete(key);
      }
      for (const [, key] of changes) expect(keyed(map, key)).toBe(model.get(key));
    }),
  );
});
