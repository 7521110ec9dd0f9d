import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { jobStream } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { EpisodeQueries, type FoundEpisode } from '#projections/episodes/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { RequestClaims } from '../platform/request-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import type { EpisodesQueryDto, TimeWindow } from './dto/episodes.dto.js';
import { EpisodeAccess } from './episode-access.js';
import { EpisodeRelevance } from './episode-relevance.js';

export interface EpisodesRead {
  readonly results: readonly (Omit<FoundEpisode, 'evidence'> & {
    readonly evidence: readonly JsonObject[];
  })[];
  readonly position: bigint | undefined;
}

export class QueryEpisodes extends Query<EpisodesRead> {
  constructor(
    readonly actor: Actor,
    readonly body: EpisodesQueryDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** The snapshots at which a query reads. */
interface Ground {
  readonly count: number | undefined;
  readonly semHash: string;
  readonly jobUser: string | null;
}

@QueryHandler(QueryEpisodes)
export class QueryEpisodesHandler implements IQueryHandler<QueryEpisodes> {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly episodes: EpisodeQueries,
    private readonly facts: SemSnapshots,
    private readonly claims: RequestClaims,
    private readonly jobAccess: JobAccess,
    private readonly access: EpisodeAccess,
    private readonly relevance: EpisodeRelevance,
  ) {}

  async execute({ actor, body, identity }: QueryEpisodes): Promise<EpisodesRead> {
    const { job_seed, query_terms, max_results, time_window, user_id } = body;
    // The read is recorded in the job that the body names. A request with an Idempotency-Key claims this
    // job's stream, so its retry must name the same job (SPEC I7).
    if (job_seed !== undefined) await this.claims.streamFor(identity, jobStream(job_seed));
    const { count, semHash, jobUser } = await this.ground(actor, body);
    const ranked = body.ranking === 'relevance' ? this.relevance : this.episodes;
    const found = await ranked.query({
      queryTerms: query_terms,
      ...(max_results === undefined ? {} : { maxResults: max_results }),
      ...(time_window === undefined ? {} : { window: windowOf(time_window) }),
      ...(count === undefined ? {} : { count }),
      visibleTo: this.access.visibleTo(actor, user_id ?? jobUser ?? undefined),
    });
    const results = found.map(({ evidence, ...episode }) => ({
      ...episode,
      // SPEC E3
      evidence: [{ episodic_id: episode.episodic_id, sem_snapshot_hash: semHash }, ...evidence],
    }));
    if (job_seed === undefined) return { results, position: undefined };
    const ids = found.map(({ episodic_id }) => episodic_id);
    const read = { op: 'memory_read', kind: 'episodes_query', ids } as const;
    const { position } = await this.jobs.execute(jobStream(job_seed), [read], identity);
    return { results, position };
  }

  private async ground(actor: Actor, { job_seed, snapshot_id }: EpisodesQueryDto): Promise<Ground> {
    if (job_seed === undefined) {
      const { hash } = await this.facts.current();
      return { count: await this.countOf(snapshot_id), semHash: hash, jobUser: null };
    }
    if (snapshot_id !== undefined)
      throw new Refusal('INVALID_INPUT', {
        reason: 'a job reads at its own snapshot: leave snapshot_id out',
      });
    await this.jobAccess.requireUse(actor, job_seed);
    const { started } = (await this.jobs.load(jobStream(job_seed))).state;
    if (started === undefined) throw new Refusal('NOT_FOUND', { what: 'job', id: job_seed });
    return {
      count: started.snapshots.episodic_count,
      semHash: started.snapshots.sem_snapshot_hash,
      jobUser: started.owner.user_id,
    };
  }

  private async countOf(snapshotId: string | undefined): Promise<number | undefined> {
    if (snapshotId === undefined) return undefined;
    const count = await this.episodes.countOf(snapshotId.slice('episodes:'.length));
    if (count === undefined)
      throw new Refusal('NOT_FOUND', { what: 'episodes snapshot', id: snapshotId });
    return count;
  }
}

const windowOf = ({ from, to }: TimeWindow) => ({
  ...(from === undefined ? {} : { from: normalizeTimestamp(from) }),
  ...(to === undefined ? {} : { to: normalizeTimestamp(to) }),
});
