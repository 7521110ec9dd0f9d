import { byteOrder } from '../../determinism/ids.js';
import type { AskedQuery } from '../events.js';
import type { MemoryItem } from '../item.js';
import type { Block, StoredItem, StoredList } from '../store/stored-list.js';
import { normalText } from '../utterance/text.js';

const CONTAINED = 2;
const SHARED = 1;

/** Returns an item's normal text: the part of its dedup key after the event type (SPEC M6). */
const normalTextOf = ({ meta: { dedup_key } }: MemoryItem): string =>
  dedup_key.slice(dedup_key.indexOf(':') + 1);

/** Scores items against a query. */
export interface Matcher {
  /** Returns 2 if an item's text contains the query, 1 if they share a word, else 0 (SPEC M17). */
  readonly points: (item: MemoryItem) => number;
  /** Returns false if none of these dedup keys belongs to an item with points. */
  readonly mayMatch: (keys: string) => boolean;
}

export function matcherOf(query: AskedQuery): Matcher {
  if ('matches' in query)
    return { points: ({ id }) => query.matches[id] ?? 0, mayMatch: () => true };
  const wanted = normalText(query.text);
  if (wanted === '') return { points: () => 0, mayMatch: () => false };
  const list = wanted.split(' ');
  const words = new Set(list);
  const mayMatch = (keys: string): boolean => list.some((word) => keys.includes(word));
  const points = (item: MemoryItem): number => {
    if (!mayMatch(item.meta.dedup_key)) return 0;
    const text = normalTextOf(item);
    if (text.includes(wanted)) return CONTAINED;
    return text.split(' ').some((word) => words.has(word)) ? SHARED : 0;
  };
  return { points, mayMatch };
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
  { blocks }: StoredList,
  query: AskedQuery,
  sight: RecallView,
  limit: number,
): readonly Scored[] {
  const best = new Best(query, sight, limit);
  for (const block of blocks.toReversed()) if (best.mayTake(block)) best.take(block.items);
  return best.scored;
}

/** The best items of those that were seen, from the newest one on. */
class Best {
  private readonly best: Ranked[] = [];
  private readonly matcher: Matcher;
  private newest: number | undefined;

  constructor(
    query: AskedQuery,
    private readonly sight: RecallView,
    private readonly limit: number,
  ) {
    this.matcher = matcherOf(query);
  }

  /** Returns false if no item of a block can be one of the best. */
  mayTake({ summary: { keys, importance, newest, phases } }: Block): boolean {
    const last = this.best[this.limit - 1];
    if (last === undefined || this.newest === undefined) return true;
    const points = recencyOf(this.newest - newest) + importanceOf(importance);
    return phases.some((phase) => {
      const rank = this.sight.rank(phase);
      if (rank < 0 || isWorse(rank, points + CONTAINED, last)) return false;
      return !isWorse(rank, points, last) || this.matcher.mayMatch(keys);
    });
  }

  take(items: readonly StoredItem[]): void {
    for (let place = items.length - 1; place >= 0; place -= 1) {
      const stored = items[place] as StoredItem;
      const { item } = stored;
      const rank = this.sight.rank(item.meta.phase_id);
      if (rank < 0 || this.sight.isExpired(stored)) continue;
      this.newest ??= item.created_at;
      const recency = recencyOf(this.newest - item.created_at);
      const importance = importanceOf(item.importance);
      const last = this.best[this.limit - 1];
      if (last !== undefined && isWorse(rank, recency + importance + CONTAINED, last)) continue;
      const points = { matches_query: this.matcher.points(item), recency, importance };
      const score = points.matches_query + recency + importance;
      this.add({ item, rank, score, points });
    }
  }

  get scored(): readonly Scored[] {
    return this.best.map(({ item, score, points }) => {
      const earned = Object.entries(points).filter(([, point]) => point > 0);
      const reasons = earned.map(([reason]) => reason);
      return { item, score, reasons: reasons.length > 0 ? reasons : ['active_rule'] };
    });
  }

  private add(candidate: Ranked): void {
    const at = this.best.findIndex((other) => compare(candidate, other) < 0);
    this.best.splice(at < 0 ? this.best.length : at, 0, candidate);
    if (this.best.length > this.limit) this.best.pop();
  }
}

/** True if an older item with at most this score comes after the last of the best items. */
const isWorse = (rank: number, most: number, last: Ranked): boolean =>
  rank > last.rank || (rank === last.rank && most <= last.score);
