import { byteOrder } from '../../determinism/ids.js';
import type { AskedQuery } from '../events.js';
import type { MemoryItem } from '../item.js';
import type { StoredItem } from '../store/ledger.js';
import { normalText } from '../utterance/text.js';

const CONTAINED = 2;
const SHARED = 1;

/** Returns an item's normal text: the part of its dedup key after the event type (SPEC M6). */
const normalTextOf = ({ meta: { dedup_key } }: MemoryItem): string =>
  dedup_key.slice(dedup_key.indexOf(':') + 1);

/**
 * Returns a function that scores an item against the query: 2 if its text contains the query, 1 if they share
 * a word, else 0 (SPEC M17).
 */
export function matcherOf(query: AskedQuery): (item: MemoryItem) => number {
  if ('matches' in query) return ({ id }) => query.matches[id] ?? 0;
  const wanted = normalText(query.text);
  if (wanted === '') return () => 0;
  const list = wanted.split(' ');
  const words = new Set(list);
  return (item) => {
    // Most keys have none of the words, which shows without a copy of the text in them.
    const { dedup_key } = item.meta;
    if (!list.some((word) => dedup_key.includes(word))) return 0;
    const text = normalTextOf(item);
    if (text.includes(wanted)) return CONTAINED;
    return text.split(' ').some((word) => words.has(word)) ? SHARED : 0;
  };
}

/** Decides which items a recall sees. */
export interface RecallView {
  /** The position of a phase in the answer, 0 for the first; negative if the recall does not see the phase. */
  readonly rank: (phaseId: string) => number;
  /** True if an item has expired, even if it is not deleted yet. */
  readonly isExpired: (stored: StoredItem) => boolean;
}

export interface Scored {
  readonly item: MemoryItem;
  readonly score: number;
  readonly reasons: readonly string[];
}

const recencyOf = (age: number): number => (age <= 2 ? 2 : age <= 5 ? 1 : 0);
const importanceOf = (importance: number): number =>
  importance >= 4 ? 2 : importance >= 2 ? 1 : 0;

interface Ranked {
  readonly item: MemoryItem;
  readonly rank: number;
  readonly score: number;
  /** The points of SPEC M17, one number for each reason. */
  readonly points: Readonly<Record<'matches_query' | 'recency' | 'importance', number>>;
}

/** Compares by phase, score, age and id (SPEC M17). The result is negative if `left` comes first. */
const compare = (left: Ranked, right: Ranked): number =>
  left.rank - right.rank ||
  right.score - left.score ||
  right.item.created_at - left.item.created_at ||
  byteOrder(left.item.id, right.item.id);

/** Returns the best `limit` items in the order of SPEC M17. `items` must be sorted oldest first. */
export function bestOf(
  items: readonly StoredItem[],
  query: AskedQuery,
  sight: RecallView,
  limit: number,
): readonly Scored[] {
  const match = matcherOf(query);
  const best: Ranked[] = [];
  let newest: number | undefined;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const stored = items[place] as StoredItem;
    const { item } = stored;
    const rank = sight.rank(item.meta.phase_id);
    if (rank < 0 || sight.isExpired(stored)) continue;
    newest ??= item.created_at;
    const recency = recencyOf(newest - item.created_at);
    const importance = importanceOf(item.importance);
    const last = best[limit - 1];
    // An older item comes before the last of the best items only if its score is higher, and a match
    // adds at most CONTAINED points.
    const most = recency + importance + CONTAINED;
    if (last !== undefined && (rank > last.rank || (rank === last.rank && most <= last.score)))
      continue;
    const points = { matches_query: match(item), recency, importance };
    const score = points.matches_query + recency + importance;
    const candidate = { item, rank, score, points };
    const at = best.findIndex((other) => compare(candidate, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, candidate);
    if (best.length > limit) best.pop();
  }
  return best.map(({ item, score, points }) => {
    const earned = Object.entries(points).filter(([, point]) => point > 0);
    const reasons = earned.map(([reason]) => reason);
    return { item, score, reasons: reasons.length > 0 ? reasons : ['active_rule'] };
  });
}
