import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { SEARCH_KINDS } from '#domain/search/kinds.js';
import { LATEST_RANKING } from '#domain/search/rankings.js';
import { namedParts } from '#domain/note/name.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { SearchQueries } from '#projections/search/queries.js';
import type { SearchFilter } from '#projections/search/search-request.js';
import { RequestClaims } from '../platform/request-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ReadModels } from '../platform/read-models.js';
import type { JobStore } from '../platform/stores.js';
import { EVENT_STORE, JOB_STORE, READ_MODELS } from '../platform/tokens.js';
import type { SearchResultDto } from './dto/found.dto.js';
import type { SearchDto } from './dto/search.dto.js';
import { SearchAccess } from './search-access.js';

const DEFAULT_MAX_RESULTS = 10;
const READ_MODEL = ['search'] as const;

export interface Searched {
  readonly answer: SearchResultDto;
  /** The commit position of `memory_read`; undefined if no job records the search. */
  readonly position: bigint | undefined;
}

export class SearchMemory extends Query<Searched> {
  constructor(
    readonly actor: Actor,
    readonly body: SearchDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Searches everything that the caller may read (SPEC Q1–Q5). */
@QueryHandler(SearchMemory)
export class SearchMemoryHandler implements IQueryHandler<SearchMemory> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly queries: SearchQueries,
    private readonly access: SearchAccess,
    private readonly jobAccess: JobAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, body, identity }: SearchMemory): Promise<Searched> {
    const { record_in } = body;
    if (record_in === undefined) {
      return { answer: await this.search(actor, body, body.as_of), position: undefined };
    }
    const stream = jobStream(record_in);
    await this.claims.streamFor(identity, stream);
    await this.jobAccess.requireUse(actor, record_in);
    const asOf = (await this.recordedPosition(stream, identity)) ?? body.as_of;
    const answer = await this.search(actor, body, asOf);
    const ids = answer.hits.map(({ id }) => id);
    const read = { op: 'memory_read', kind: 'search', ids } as const;
    const { as_of, ranking_version } = answer;
    const evidence = { ...identity.evidence, as_of, ranking_version };
    const { position } = await this.jobs.execute(stream, [read], { ...identity, evidence });
    return { answer, position };
  }

  /** Returns the position at which an earlier try of this request searched, so that a retry finds the same. */
  private async recordedPosition(
    stream: string,
    { command_id }: RequestIdentity,
  ): Promise<string | undefined> {
    const { hasTaken } = await this.jobs.load(stream);
    if (!hasTaken(command_id)) return undefined;
    for await (const { metadata } of readRecorded(this.eventStore, stream))
      if (metadata.command_id === command_id) return metadata['as_of'] as string | undefined;
    return undefined;
  }

  private async search(
    actor: Actor,
    body: SearchDto,
    as_of: string | undefined,
  ): Promise<SearchResultDto> {
    const { record_in, job_seed = record_in, ranking_version = LATEST_RANKING } = body;
    const { asOf, hits } = await this.queries.search({
      query: body.query,
      operators: body.operators,
      ranking: ranking_version,
      kinds: body.kinds ?? SEARCH_KINDS,
      scopes: await this.access.scopesOf(actor, {
        ...body,
        ...(job_seed === undefined ? {} : { job_seed }),
      }),
      asOf: await this.positionOf(as_of),
      shown: this.readModels.shown(READ_MODEL),
      limit: body.max_results ?? DEFAULT_MAX_RESULTS,
      explain: body.explain,
      filter: filterOf(body),
    });
    return { as_of: asOf.toString(), ranking_version, hits };
  }

  /** Waits until the index shows the position that the caller names. @throws Refusal INVALID_INPUT if the log ends before it */
  private async positionOf(asOf: string | undefined): Promise<bigint | undefined> {
    if (asOf === undefined) return undefined;
    const position = BigInt(asOf);
    const shown = this.readModels.shown(READ_MODEL);
    if (shown !== undefined && position <= shown) return position;
    const end = await this.eventStore.lastPosition();
    if (end === undefined || position > end)
      throw new Refusal('INVALID_INPUT', { reason: 'as_of is ahead of the log' });
    await this.readModels.reach(position, READ_MODEL);
    return position;
  }
}

function filterOf({
  job_seed,
  session_id,
  space,
  namespace,
  time_window,
}: SearchDto): SearchFilter {
  const { from, to } = time_window ?? {};
  const time = (instant: string): number => Date.parse(normalizeTimestamp(instant));
  return {
    container: job_seed === undefined ? undefined : jobStream(job_seed),
    namespace: namespace === undefined ? undefined : namedParts(namespace),
    session: session_id,
    space,
    ...(from === undefined ? {} : { from: time(from) }),
    ...(to === undefined ? {} : { to: time(to) }),
  };
}
