import { Injectable } from '@nestjs/common';
import { DEFAULT_MAX_RESULTS } from '#domain/episode/ranking.js';
import { LATEST_RANKING } from '#domain/search/rankings.js';
import { episodeScopes } from '#domain/search/scopes.js';
import {
  EpisodeQueries,
  type EpisodesQuery,
  type FoundEpisode,
} from '#projections/episodes/queries.js';
import { SearchQueries } from '#projections/search/queries.js';
import { LogEnd } from '../platform/log-end.js';

/** Ranks episodes as a search does (SPEC Q6). */
@Injectable()
export class EpisodeRelevance {
  constructor(
    private readonly episodes: EpisodeQueries,
    private readonly searches: SearchQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async query(query: EpisodesQuery): Promise<FoundEpisode[]> {
    const { queryTerms, maxResults = DEFAULT_MAX_RESULTS, window, count, visibleTo } = query;
    if (count === 0) return [];
    const { hits } = await this.searches.search({
      query: queryTerms,
      ranking: LATEST_RANKING,
      kinds: ['episode'],
      scopes: episodeScopes(visibleTo),
      asOf: count === undefined ? undefined : await this.positionOf(count),
      limit: maxResults,
      filter: {
        ...(window?.from === undefined ? {} : { from: Date.parse(window.from) }),
        ...(window?.to === undefined ? {} : { to: Date.parse(window.to) }),
      },
    });
    const rows = await this.episodes.byIds(hits.map(({ id }) => id));
    const rowOf = new Map(rows.map((row) => [row.episodic_id, row]));
    return hits.flatMap(({ id, score }) => {
      const row = rowOf.get(id);
      if (row === undefined) return [];
      const { episodic_id, summary, created_seeded_ts, evidence } = row;
      return [{ episodic_id, score, summary, created_seeded_ts, evidence }];
    });
  }

  /** Returns the position of the last episode of a snapshot, once the index shows it. */
  private async positionOf(count: number): Promise<bigint | undefined> {
    const id = await this.episodes.lastOf(count);
    if (id === undefined) return undefined;
    const position = await this.searches.positionOfEpisode(id);
    if (position !== undefined) return position;
    await this.logEnd.reach('search');
    return this.searches.positionOfEpisode(id);
  }
}
