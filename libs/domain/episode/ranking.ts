import { byteOrder } from '../determinism/ids.js';
import { tokensOf } from './tokens.js';

/** The fields of an episode that the ranking uses; `summary` is the redacted summary. */
interface RankableEpisode {
  readonly episodic_id: string;
  readonly summary: string;
  readonly created_seeded_ts: string;
}

export interface EpisodeQuery {
  readonly query_terms: string;
  /** The maximum number of results, 1 to 100; the default is 10. */
  readonly max_results?: number;
  /** The bounds of created_seeded_ts, both inclusive. */
  readonly time_window?: { readonly from?: string; readonly to?: string };
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

const inWindow = (ts: string, window: EpisodeQuery['time_window']): boolean =>
  (window?.from === undefined || ts >= window.from) &&
  (window?.to === undefined || ts <= window.to);

/** Ranks episodes in memory by the rules of SPEC E2; every read model must give the same answer. */
export function rankEpisodes<Episode extends RankableEpisode>(
  episodes: Iterable<Episode>,
  { query_terms, max_results = DEFAULT_MAX_RESULTS, time_window }: EpisodeQuery,
): Ranked<Episode>[] {
  const wanted = new Set(tokensOf(query_terms));
  const ranked: Ranked<Episode>[] = [];
  for (const episode of episodes) {
    if (!inWindow(episode.created_seeded_ts, time_window)) continue;
    const score = scoreOf(episode.summary, wanted);
    if (score > 0) ranked.push({ ...episode, score });
  }
  return ranked.sort(byRank).slice(0, max_results);
}
