import { byteOrder } from '../determinism/ids.js';
import type { MemoryItem } from './item.js';
import { normalText } from './text.js';

/** How a query matches a text: 2 contained in it, 1 a word shared, 0 not at all (SPEC M17). */
export type Match = (item: MemoryItem) => number;

/** The normal form of a semantic item's text is the rest of its dedup key (SPEC M6). */
const normalTextOf = ({ meta }: MemoryItem): string =>
  meta.dedup_key.slice(meta.dedup_key.indexOf(':') + 1);

/** Prepares a query, so that each of many items costs little. */
export function matchOf(query: string): Match {
  const wanted = normalText(query);
  if (wanted === '') return () => 0;
  const words = [...new Set(wanted.split(' '))].map((word) => ` ${word} `);
  return (item) => {
    const text = normalTextOf(item);
    if (text === '') return 0;
    if (text.includes(wanted)) return 2;
    const spaced = ` ${text} `;
    return words.some((word) => spaced.includes(word)) ? 1 : 0;
  };
}

export interface Scored {
  readonly item: MemoryItem;
  readonly score: number;
  readonly reasons: readonly string[];
}

const recencyOf = (age: number): number => (age <= 2 ? 2 : age <= 5 ? 1 : 0);
const importanceOf = (importance: number): number =>
  importance >= 4 ? 2 : importance >= 2 ? 1 : 0;

/** The points of SPEC M17, one for each reason. `newest` is the created_at of the newest candidate. */
const pointsOf = (item: MemoryItem, match: Match, newest: number) => ({
  matches_query: match(item),
  recency: recencyOf(newest - item.created_at),
  importance: importanceOf(item.importance),
});

interface Ranked {
  readonly item: MemoryItem;
  readonly rank: number;
  readonly score: number;
}

/** Phase, score, newest, id (SPEC M17). Negative where the left one comes first. */
const compare = (left: Ranked, right: Ranked): number =>
  left.rank - right.rank ||
  right.score - left.score ||
  right.item.created_at - left.item.created_at ||
  byteOrder(left.item.id, right.item.id);

/**
 * The best of the candidates, which stand oldest first, in the order of SPEC M17. `phaseRank` is 0 for the
 * phase that comes first. One pass from the newest on, which keeps the best so far: a store may hold many
 * thousands, and the newest tend to be the best.
 */
export function bestOf(
  candidates: readonly MemoryItem[],
  match: Match,
  phaseRank: (item: MemoryItem) => number,
  limit: number,
): readonly Scored[] {
  const newest = candidates.reduce((latest, item) => Math.max(latest, item.created_at), 0);
  const best: Ranked[] = [];
  for (let place = candidates.length - 1; place >= 0; place -= 1) {
    const item = candidates[place] as MemoryItem;
    const { matches_query, recency, importance } = pointsOf(item, match, newest);
    const one = { item, rank: phaseRank(item), score: matches_query + recency + importance };
    const last = best[limit - 1];
    if (last !== undefined && compare(one, last) > 0) continue;
    const at = best.findIndex((other) => compare(one, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, one);
    if (best.length > limit) best.pop();
  }
  return best.map(({ item, score }) => {
    const points = Object.entries(pointsOf(item, match, newest));
    const reasons = points.filter(([, earned]) => earned > 0).map(([reason]) => reason);
    return { item, score, reasons: reasons.length > 0 ? reasons : ['active_rule'] };
  });
}
