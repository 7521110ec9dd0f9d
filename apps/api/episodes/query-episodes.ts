import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { jobStream } from '#domain/stream-names.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { JobAccess } from '../ownership/job-access.js';
import { readersOf } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Nested, OneOf, SeedText, Text, Whole } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { EpisodeAccess } from './episode-access.js';
import { ActedFor, TimeWindow } from './episode-fields.js';
import { EpisodeRelevance } from './episode-relevance.js';
import { FoundEpisodesDto } from './episode-view.js';

const EPISODE_RANKINGS = ['overlap', 'relevance'] as const;
type EpisodeRanking = (typeof EPISODE_RANKINGS)[number];

/** A query changes memory only if a job records what it read. */
@Describes({
  summary: 'Episodes that match some words, best first, ranked without a model',
  roles: readersOf('user'),
  example: { query_terms: 'hotel Oslo', max_results: 5 },
  answers: [200, FoundEpisodesDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
  reads: ['episodes', 'sem', 'search'],
})
export class QueryEpisodes extends WriteRequest<FoundEpisodesDto> {
  @Text({
    max: 16_000,
    description: 'Plain words; a result has at least one of them in its summary.',
  })
  query_terms!: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'Default 10.' })
  max_results?: number;

  @OneOf(EPISODE_RANKINGS, {
    optional: true,
    description: '`overlap` (the default) counts common words; `relevance` ranks as a search does.',
  })
  ranking?: EpisodeRanking;

  @Nested(TimeWindow, {
    optional: true,
    description: 'Bounds of created_seeded_ts, inclusive.',
  })
  time_window?: TimeWindow;

  @ActedFor() user_id?: string;

  @Text({
    optional: true,
    max: 73,
    pattern: /^episodes:[0-9a-f]{64}$/,
    form: 'be the id of a snapshot of episodes, as a job pins it: episodes: and 64 hex digits',
    description: '`episodes:<hash>`, as pinned by a job.',
  })
  snapshot_id?: string;

  @SeedText({
    optional: true,
    description: 'Reads at that job’s snapshot and records the read in the job.',
  })
  job_seed?: string;
}

/** The snapshots at which a query reads. */
interface Ground {
  readonly count: number | undefined;
  readonly semHash: string;
  readonly jobUser: string | null;
}

@CommandHandler(QueryEpisodes)
export class QueryEpisodesHandler implements ICommandHandler<QueryEpisodes> {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly episodes: EpisodeQueries,
    private readonly facts: SemSnapshots,
    private readonly claims: RequestClaims,
    private readonly jobAccess: JobAccess,
    private readonly access: EpisodeAccess,
    private readonly relevance: EpisodeRelevance,
  ) {}

  async execute(asked: QueryEpisodes): Promise<Answer<FoundEpisodesDto>> {
    const { actor, identity, job_seed, query_terms, max_results, time_window, user_id } = asked;
    // The read is recorded in the job that the body names. A request with an Idempotency-Key claims this
    // job's stream, so its retry must name the same job (SPEC I7).
    if (job_seed !== undefined) await this.claims.streamFor(identity, jobStream(job_seed));
    const { count, semHash, jobUser } = await this.ground(asked);
    const ranked = asked.ranking === 'relevance' ? this.relevance : this.episodes;
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
    if (job_seed === undefined) return Answer.written({ results }, undefined);
    const ids = found.map(({ episodic_id }) => episodic_id);
    const read = { op: 'memory_read', kind: 'episodes_query', ids } as const;
    const { position } = await this.jobs.execute(jobStream(job_seed), [read], identity);
    return Answer.written({ results }, position);
  }

  private async ground({ actor, job_seed, snapshot_id }: QueryEpisodes): Promise<Ground> {
    if (job_seed === undefined) {
      const { hash } = await this.facts.current();
      return { count: await this.countOf(snapshot_id), semHash: hash, jobUser: null };
    }
    if (snapshot_id !== undefined)
      throw new Refusal('INVALID_INPUT', {
        reason: 'snapshot_id: leave it out, because a job reads at its own snapshot',
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
