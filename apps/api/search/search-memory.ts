import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { SPACES, type Space } from '#domain/memory-contract/item.js';
import { SEARCH_KINDS, type SearchKind } from '#domain/search/kinds.js';
import { LATEST_RANKING, type RankingVersion } from '#domain/search/rankings.js';
import { namedParts } from '#domain/note/name.js';
import type { Actor } from '#domain/recorded-event.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { jobStream } from '#domain/stream-names.js';
import { SearchQueries } from '#projections/search/queries.js';
import type { SearchFilter } from '#projections/search/search-request.js';
import { ActedFor, TimeWindow } from '../episodes/episode-fields.js';
import { readersOf } from '../platform/auth/roles.js';
import type { Answer } from '../platform/http/answer.js';
import {
  At,
  Flag,
  Nested,
  OneOf,
  PositionText,
  SeedText,
  SomeOf,
  Text,
  TextList,
  Whole,
} from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import type { ReadModels } from '../platform/read-models.js';
import { READ_MODELS } from '../platform/tokens.js';
import { FactRequests } from '../sem/fact-requests.js';
import { RecordedReads } from './recorded-reads.js';
import { SearchAccess } from './search-access.js';
import { type SearchHitDto, SearchResultDto } from './search-view.js';

const DEFAULT_MAX_RESULTS = 10;
const READ_MODEL = ['search'] as const;

/** A search changes memory only if a job records what it found. */
@Describes({
  summary: 'Find across everything that the caller may read, best first',
  roles: readersOf('user'),
  example: { query: 'hotel in Oslo' },
  answers: [200, SearchResultDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
  reads: READ_MODEL,
})
export class SearchMemory extends WriteRequest<SearchResultDto> {
  @Text({
    max: 16_000,
    description:
      'Words, in any form. A hit has each phrase in quotes, and no word or phrase with a minus sign before it.',
  })
  query!: string;

  @SomeOf(SEARCH_KINDS, {
    optional: true,
    max: SEARCH_KINDS.length,
    description: 'Default: all kinds.',
  })
  kinds?: SearchKind[];

  @SeedText({ optional: true, description: 'Finds only what is in this job.' })
  job_seed?: string;

  @Text({ optional: true, min: 1, max: 128, description: 'Finds only what is in this session.' })
  session_id?: string;

  @OneOf(SPACES, {
    optional: true,
    description: 'Finds only items of this space of the Memory Contract.',
  })
  space?: Space;

  @TextList({
    optional: true,
    max: 16,
    maxLength: 256,
    description: 'Finds only notes in this namespace or below it.',
  })
  namespace?: string[];

  @Nested(TimeWindow, {
    optional: true,
    description: 'Bounds of the hits’ `time`, inclusive. It may be logical, which is no date.',
  })
  time_window?: TimeWindow;

  @Nested(TimeWindow, {
    optional: true,
    description: 'Bounds of the clock when the hits were written, inclusive.',
  })
  recorded_window?: TimeWindow;

  @PositionText({
    optional: true,
    description:
      'The position in the log at which memory is searched. The same search at the same position always gives the same answer.',
  })
  as_of?: string;

  @At('as_of') at?: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'Default 10.' })
  max_results?: number;

  @Flag({
    optional: true,
    description: 'Shows what each hit’s score is made of, and who approved a fact.',
  })
  explain?: boolean;

  @SeedText({
    optional: true,
    description: 'The job that records what was found, because it may decide on it.',
  })
  record_in?: string;

  @Whole({
    optional: true,
    min: 1,
    max: LATEST_RANKING,
    description: 'The version of the ranking; by default the latest.',
  })
  ranking_version?: RankingVersion;

  @Flag({
    optional: true,
    description: 'False if quotes and minus signs in the query are only signs; default true.',
  })
  operators?: boolean;

  @ActedFor() user_id?: string;

  @Text({
    optional: true,
    min: 1,
    max: 4_096,
    description: 'The root of the project whose memory is searched as well.',
  })
  project_root?: string;
}

@CommandHandler(SearchMemory)
export class SearchMemoryHandler implements ICommandHandler<SearchMemory> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly queries: SearchQueries,
    private readonly access: SearchAccess,
    private readonly reads: RecordedReads,
    private readonly requests: FactRequests,
  ) {}

  execute(asked: SearchMemory): Promise<Answer<SearchResultDto>> {
    return this.reads.answer(
      asked,
      (as_of) => this.search(asked, as_of),
      ({ hits }) => hits.map(({ id }) => id),
    );
  }

  private async search(asked: SearchMemory, as_of: string | undefined): Promise<SearchResultDto> {
    const { actor, record_in, user_id, project_root } = asked;
    const { job_seed = record_in, ranking_version = LATEST_RANKING } = asked;
    const { asOf, hits } = await this.queries.search({
      query: asked.query,
      operators: asked.operators,
      ranking: ranking_version,
      kinds: asked.kinds ?? SEARCH_KINDS,
      scopes: await this.access.scopesOf(actor, { user_id, job_seed, project_root }),
      asOf: as_of === undefined ? undefined : await this.reads.positionAt(as_of, READ_MODEL),
      shown: this.readModels.shown(READ_MODEL),
      limit: asked.max_results ?? DEFAULT_MAX_RESULTS,
      explain: asked.explain,
      filter: filterOf(asked),
    });
    const shown = await fewAtOnce(hits, (hit) => this.withApproval(actor, hit));
    return { as_of: asOf.toString(), ranking_version, hits: shown };
  }

  /** Adds who approved a fact to the explanation of its hit. */
  private async withApproval(actor: Actor, hit: SearchHitDto): Promise<SearchHitDto> {
    const { kind, source, explanation } = hit;
    if (kind !== 'fact' || explanation === undefined) return hit;
    const approved_by = await this.requests.approvalAt(actor, source);
    return approved_by === undefined
      ? hit
      : { ...hit, explanation: { ...explanation, approved_by } };
  }
}

const timeOf = (instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : Date.parse(normalizeTimestamp(instant));

function filterOf({
  job_seed,
  session_id,
  space,
  namespace,
  time_window,
  recorded_window,
}: SearchMemory): SearchFilter {
  return {
    container: job_seed === undefined ? undefined : jobStream(job_seed),
    namespace: namespace === undefined ? undefined : namedParts(namespace),
    session: session_id,
    space,
    from: timeOf(time_window?.from),
    to: timeOf(time_window?.to),
    recordedFrom: timeOf(recorded_window?.from),
    recordedTo: timeOf(recorded_window?.to),
  };
}
