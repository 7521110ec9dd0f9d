import type { Schemas } from './schemas.js';
import type { ReadOptions, Transport } from './transport.js';

export type EpisodeQuery = Schemas['EpisodesQueryDto'];

export type EpisodeFound = Schemas['FoundEpisodeDto'];

export type Episode = Schemas['EpisodeViewDto'];

/** What happened in jobs and requests: append-only, ranked without a model. */
export class Episodes {
  constructor(private readonly transport: Transport) {}

  /** Ranked by score, then newest first, then id: the same answer for the same log. */
  query(query: EpisodeQuery, options?: ReadOptions): Promise<Schemas['FoundEpisodesDto']> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/episodes/query',
      body: query,
      options,
    });
  }

  /** One episode. NOT_FOUND also where the caller may not know of it. */
  get(episodicId: string, options?: ReadOptions): Promise<Episode> {
    const path = `/v1/episodes/${encodeURIComponent(episodicId)}`;
    return this.transport.json({ method: 'GET', path, options });
  }
}
