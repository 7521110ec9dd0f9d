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

/** `newest` is the created_at of the newest candidate (SPEC M17). */
function scored(item: MemoryItem, match: Match, newest: number): Scored {
  const parts = [
    ['matches_query', match(item)],
    ['recency', recencyOf(newest - item.created_at)],
    ['importance', importanceOf(item.importance)],
  ] as const;
  const reasons = parts.filter(([, points]) => points > 0).map(([reason]) => reason);
  const score = parts.reduce((sum, [, points]) => sum + points, 0);
  return { item, score, reasons: reasons.length > 0 ? reasons : ['active_rule'] };
}

/**
 * The best of the candidates in the order of SPEC M17: phase, score, newest, id. `phaseRank` is 0 for the
 * phase that comes first.
 */
export function bestOf(
  candidates: readonly MemoryItem[],
  match: Match,
  phaseRank: (item: MemoryItem) => number,
  limit: number,
): readonly Scored[] {
  const newest = candidates.reduce((latest, item) => Math.max(latest, item.created_at), 0);
  const comesFirst = (left: Scored, right: Scored): number =>
    phaseRank(left.item) - phaseRank(right.item) ||
    right.score - left.score ||
    right.item.created_at - left.item.created_at ||
    byteOrder(left.item.id, right.item.id);
  const best: Scored[] = [];
  for (const candidate of candidates) {
    const one = scored(candidate, match, newest);
    const last = best.at(-1);
    if (last !== undefined && best.length >= limit && comesFirst(one, last) > 0) continue;
    const at = best.findIndex((other) => comesFirst(one, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, one);
    if (best.length > limit) best.pop();
  }
  return best;
}
