import type { MaceClient } from '#client/mace-client.js';
import { HITS } from './figures.js';

/** Whose memory is searched, for what. */
export interface Asking {
  readonly question: string;
  readonly user: string;
  readonly signal: AbortSignal;
}

/** Asks a question with one ranking, and returns the ids of the episodes found, best first. */
export type Ask = (client: MaceClient, asking: Asking) => Promise<readonly string[]>;

export const RANKINGS = {
  overlap: async (client, { question, user, signal }) => {
    const query = { query_terms: question, max_results: HITS, user_id: user };
    const { results } = await client.episodes.query(query, { signal });
    return results.map(({ episodic_id }) => episodic_id);
  },
} as const satisfies Record<string, Ask>;

export type RankingName = keyof typeof RANKINGS;
export const RANKING_NAMES = Object.keys(RANKINGS) as RankingName[];
