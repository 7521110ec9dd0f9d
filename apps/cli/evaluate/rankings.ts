import { keysOf } from '#domain/keys-of.js';
import type { MaceClient } from '#client/mace-client.js';
import type { RankingVersion } from '#domain/search/rankings.js';
import { HITS } from './figures.js';

/** Whose memory is searched, for what. */
export interface Asking {
  readonly question: string;
  readonly user: string;
  /** The version of the ranking `relevance`; undefined for the latest. */
  readonly version: RankingVersion | undefined;
  readonly signal: AbortSignal;
}

/** The hits of a ranking. */
export interface Found {
  /** The ids of the episodes, best first. */
  readonly episodes: readonly string[];
  readonly ranking_version?: number;
}

/** Asks a question with one ranking. */
type Ask = (client: MaceClient, asking: Asking) => Promise<Found>;

export const RANKINGS = {
  overlap: async (client, { question, user, signal }) => {
    const query = { query_terms: question, max_results: HITS, user_id: user };
    const { results } = await client.episodes.query(query, { signal });
    return { episodes: results.map(({ episodic_id }) => episodic_id) };
  },
  relevance: async (client, { question, user, version, signal }) => {
    const request = {
      query: question,
      // A question is plain words: a hit need not have a title that the question quotes.
      operators: false,
      kinds: ['episode' as const],
      max_results: HITS,
      user_id: user,
      ...(version === undefined ? {} : { ranking_version: version }),
    };
    const { hits, ranking_version } = await client.search(request, { signal });
    return { episodes: hits.map(({ id }) => id), ranking_version };
  },
} as const satisfies Record<string, Ask>;

export type RankingName = keyof typeof RANKINGS;
export const RANKING_NAMES = keysOf(RANKINGS);
