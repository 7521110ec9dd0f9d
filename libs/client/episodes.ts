import type { Json, JsonObject } from './json.js';
import type { ReadOptions, Transport } from './transport.js';

export interface EpisodeQuery {
  /** Plain words; an episode must share at least one with its summary. */
  readonly query_terms: string;
  /** 1 to 100; default 10. */
  readonly max_results?: number;
  /** Seeded time, ISO 8601 UTC, both ends included. */
  readonly time_window?: { readonly from?: string; readonly to?: string };
  /** `episodes:<hash>`, as jobs pin it. */
  readonly snapshot_id?: string;
  /** Reads at the job's pinned snapshot and records the read as its evidence. */
  readonly job_seed?: string;
}

export interface EpisodeFound {
  readonly episodic_id: string;
  /** Matching tokens of the summary by all its tokens, in (0, 1]. */
  readonly score: number;
  /** Redacted, unless the caller may see more. */
  readonly summary: string;
  readonly created_seeded_ts: string;
  readonly evidence: readonly JsonObject[];
}

export interface Episode {
  readonly episodic_id: string;
  readonly job_seed: string;
  readonly source: string;
  readonly summary: string;
  readonly evidence: readonly JsonObject[];
  /** Absent where the caller may not see it. */
  readonly payload?: Json;
  readonly created_seeded_ts: string;
  readonly provenance: JsonObject;
}

/** What happened in jobs and requests: append-only, ranked without a model. */
export class Episodes {
  constructor(private readonly transport: Transport) {}

  /** Ranked by score, then newest first, then id: the same answer for the same log. */
  query(
    query: EpisodeQuery,
    options?: ReadOptions,
  ): Promise<{ readonly results: readonly EpisodeFound[] }> {
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
