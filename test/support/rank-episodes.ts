import {
  byRank,
  DEFAULT_MAX_RESULTS,
  type RankableEpisode,
  type Ranked,
  scoreOf,
} from '#domain/episode/ranking.js';
import { tokensOf } from '#domain/episode/tokens.js';

interface EpisodeQuery {
  readonly query_terms: string;
  /** The maximum number of results, 1 to 100; the default is 10. */
  readonly max_results?: number;
  /** The bounds of created_seeded_ts, both inclusive. */
  readonly time_window?: { readonly from?: string; readonly to?: string };
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
