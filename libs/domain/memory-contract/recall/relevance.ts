import { byteOrder } from '../../determinism/ids.js';
import { LANGUAGES } from '../../search/languages/language.js';
import { rankEntries } from '../../search/rank-entries.js';
import type { RankingVersion } from '../../search/rankings.js';
import { parseQuery } from '../../search/search-query.js';
import type { AskedQuery } from '../events.js';
import type { MemoryItem, Space } from '../item.js';
import type { RelevancePolicy } from '../policy.js';
import type { StoredItem } from '../store/stored-list.js';
import type { RecallView, Scored } from './semantic-score.js';

/**
 * Scores semantic items of one store as a search does (SPEC Q6). The items, oldest first, are the only ones that
 * count, and those of a session are each other's context. Returns the score of each item that the query finds.
 */
export function relevanceOf(
  items: readonly MemoryItem[],
  space: Space,
  text: string,
  { version, language }: RelevancePolicy,
): ReadonlyMap<string, number> {
  const entries = items.map(({ id, text: body, created_at: time }) => ({
    ...{ id, title: '', body, time },
    group: space === 'session' ? space : null,
  }));
  // A replay decides recorded recalls again: for them, a minus sign before a phrase has no meaning, and a query of stop
  // words finds nothing.
  const options = {
    version: version as RankingVersion,
    language: LANGUAGES[language],
    limit: items.length,
    excludesPhrases: false,
  };
  if (parseQuery(text, options).terms.length === 0) return new Map();
  return new Map(rankEntries(entries, text, options).map(({ entry, score }) => [entry.id, score]));
}

/** Returns the best `limit` items that the query finds: by phase, then score, then the newest first. */
export function mostRelevant(
  items: readonly StoredItem[],
  query: AskedQuery,
  { rank, isExpired }: RecallView,
  limit: number,
  { space, ranking }: { readonly space: Space; readonly ranking: RelevancePolicy },
): readonly Scored[] {
  const seen = items
    .filter((stored) => rank(stored.item.meta.phase_id) >= 0 && !isExpired(stored))
    .map(({ item }) => item);
  const scores =
    'matches' in query
      ? new Map(Object.entries(query.matches))
      : relevanceOf(seen, space, query.text, ranking);
  return seen
    .map((item) => ({ item, score: scores.get(item.id) ?? 0, reasons: ['matches_query'] }))
    .filter(({ score }) => score > 0)
    .sort(
      (left, right) =>
        rank(left.item.meta.phase_id) - rank(right.item.meta.phase_id) ||
        right.score - left.score ||
        right.item.created_at - left.item.created_at ||
        byteOrder(left.item.id, right.item.id),
    )
    .slice(0, limit);
}
