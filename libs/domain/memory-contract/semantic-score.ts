import { byteOrder } from '../determinism/ids.js';
import { columnsOf, normalTextAt, type Columns } from './columns.js';
import type { AskedQuery } from './events.js';
import type { MemoryItem } from './item.js';
import type { StoredItem } from './ledger.js';
import { normalText } from './text.js';

const CONTAINED = 2;
const SHARED = 1;

/** How a query matches items, by their places in a list: 2 contained, 1 a word shared, 0 not at all (SPEC M17). */
interface Matches {
  at(place: number): number;
  /** No less than that, for little. */
  atMost(place: number): number;
}

const asMatches = (at: Matches['at']): Matches => ({ at, atMost: at });

/** Prepares a query for the items of a list. */
export function matchesOf(items: readonly StoredItem[], query: AskedQuery): Matches {
  if ('matches' in query)
    return asMatches((place) => query.matches[(items[place] as StoredItem).item.id] ?? 0);
  const wanted = normalText(query.text);
  if (wanted === '') return asMatches(() => 0);
  const columns = columnsOf(items);
  const contained = placesOf(wanted, columns, items.length);
  const isContained = (place: number): boolean => contained[place] === 1;
  // A single word that a text does not contain, it does not share.
  if (!wanted.includes(' ')) return asMatches((place) => (isContained(place) ? CONTAINED : 0));
  const words = new Set(wanted.split(' '));
  const shares = (place: number): boolean =>
    normalTextAt(columns, place)
      .split(' ')
      .some((word) => words.has(word));
  return {
    at: (place) => (isContained(place) ? CONTAINED : shares(place) ? SHARED : 0),
    atMost: (place) => (isContained(place) ? CONTAINED : SHARED),
  };
}

/** 1 at the place of each item whose normal text contains what is wanted. */
function placesOf(wanted: string, { texts, starts }: Columns, count: number): Uint8Array {
  const places = new Uint8Array(count);
  const end = starts[count] ?? texts.length;
  let place = 0;
  for (let at = texts.indexOf(wanted); at >= 0 && at < end;) {
    while (place + 1 < count && (starts[place + 1] as number) <= at) place += 1;
    places[place] = 1;
    place += 1;
    at = place < count ? texts.indexOf(wanted, starts[place]) : -1;
  }
  return places;
}

/** Which items a recall sees. */
export interface Sight {
  /** 0 for the phase that comes first; negative for one that is not seen. */
  readonly rank: (phaseId: string) => number;
  /** Whether an item has expired, and only waits to be forgotten. */
  readonly isOver: (stored: StoredItem) => boolean;
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
  /** The points of SPEC M17, one for each reason. */
  readonly points: Readonly<Record<'matches_query' | 'recency' | 'importance', number>>;
}

/** Phase, score, newest, id (SPEC M17). Negative where the left one comes first. */
const compare = (left: Ranked, right: Ranked): number =>
  left.rank - right.rank ||
  right.score - left.score ||
  right.item.created_at - left.item.created_at ||
  byteOrder(left.item.id, right.item.id);

/**
 * The best of a list, which stands oldest first, in the order of SPEC M17. One pass from the newest on, which
 * keeps the best so far: of most items it is enough to see that they cannot be among them.
 */
export function bestOf(
  items: readonly StoredItem[],
  query: AskedQuery,
  sight: Sight,
  limit: number,
): readonly Scored[] {
  const columns = columnsOf(items);
  const ranks = columns.phases.map((phaseId) => sight.rank(phaseId));
  const matches = matchesOf(items, query);
  const best: Ranked[] = [];
  let newest: number | undefined;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const rank = ranks[columns.phase[place] as number] as number;
    if (rank < 0) continue;
    const created_at = columns.created_at[place] as number;
    const recency = recencyOf((newest ?? created_at) - created_at);
    const importance = importanceOf(columns.importance[place] as number);
    const last = best[limit - 1];
    const most = recency + importance + matches.atMost(place);
    // What is older has to be better.
    if (last !== undefined && (rank > last.rank || (rank === last.rank && most <= last.score)))
      continue;
    const stored = items[place] as StoredItem;
    if (sight.isOver(stored)) continue;
    newest ??= created_at;
    const points = { matches_query: matches.at(place), recency, importance };
    const score = points.matches_query + recency + importance;
    const one = { item: stored.item, rank, score, points };
    const at = best.findIndex((other) => compare(one, other) < 0);
    best.splice(at < 0 ? best.length : at, 0, one);
    if (best.length > limit) best.pop();
  }
  return best.map(({ item, score, points }) => {
    const earned = Object.entries(points).filter(([, point]) => point > 0);
    const reasons = earned.map(([reason]) => reason);
    return { item, score, reasons: reasons.length > 0 ? reasons : ['active_rule'] };
  });
}
