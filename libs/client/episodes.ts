import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type AccessOptions,
  GET_OPTIONS,
  type ReadOptions,
  requireCallOptions,
  type Transport,
} from './transport.js';

export type EpisodeQuery = Schemas['QueryEpisodes'];

export type EpisodeFound = Schemas['FoundEpisodeDto'];

export type Episode = Schemas['EpisodeViewDto'];

/**
 * Records of what happened in jobs and requests. Records are added, never changed, and a query ranks
 * them without a model.
 */
export class Episodes {
  constructor(private readonly transport: Transport) {}

  /** Returns episodes ranked by score, then newest first, then by id. The same log always gives the same order. */
  query(query: EpisodeQuery, options?: ReadOptions): Promise<Schemas['FoundEpisodesDto']> {
    return this.transport.post(
      '/v1/episodes/query',
      bodyOf('query', query, 'POST /v1/episodes/query'),
      options,
    );
  }

  /** Returns one episode. Fails with NOT_FOUND also if the caller may not see it. */
  get(
    episodicId: string,
    options: ReadOptions & AccessOptions & QueryOf<'/v1/episodes/{id}'> = {},
  ): Promise<Episode> {
    requireCallOptions(options, GET_OPTIONS);
    const { unredacted, ...rest } = options;
    return this.transport.get(
      `/v1/episodes/${pathPart('episodicId', episodicId)}`,
      { unredacted },
      rest,
    );
  }
}
