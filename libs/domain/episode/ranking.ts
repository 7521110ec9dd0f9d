import { byteOrder } from '../determinism/ids.js';
import { tokensOf } from './tokens.js';

/** The fields of an episode that the ranking uses; `summary` is the redacted summary. */
export interface RankableEpisode {
  readonly episodic_id: string;
  readonly summary: string;
  readonly created_seeded_ts: string;
}

export type Ranked<Episode> = Episode & { readonly score: number };

export const DEFAULT_MAX_RESULTS = 10;

/**
 * Returns the share of the summary's tokens, repeats included, that occur in the query (SPEC E2). Equal
 * fractions are equal doubles, so scores can be compared exactly.
 */
export function scoreOf(summary: string, queryTokens: ReadonlySet<string>): number {
  const tokens = tokensOf(summary);
  const overlap = tokens.filter((token) => queryTokens.has(token)).length;
  return overlap / Math.max(1, tokens.length);
}

/** Sorts by higher score, then later created_seeded_ts, then smaller id in byte order (SPEC E2). */
export function byRank(left: Ranked<RankableEpisode>, right: Ranked<RankableEpisode>): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.created_seeded_ts !== right.created_seeded_ts)
    return left.created_seeded_ts > right.created_seeded_ts ? -1 : 1;
  return byteOrder(left.episodic_id, right.episodic_id);
}
