import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import { SemQueries } from '#projections/sem/queries.js';
import type { SearchFactsQuery } from './dto/fact.dto.js';
import type { SemSnapshotDto } from './dto/fact-view.dto.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';
import { ShownFacts } from './shown-facts.js';

const DEFAULT_PAGE = 100;

export class GetSemSnapshot extends Query<SemSnapshotDto> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
    readonly page: Pick<SearchFactsQuery, 'cursor' | 'limit'>,
  ) {
    super();
  }
}

/** Returns a snapshot that a job pinned, with one page of its facts (SPEC S8). */
@QueryHandler(GetSemSnapshot)
export class GetSemSnapshotHandler implements IQueryHandler<GetSemSnapshot> {
  constructor(
    private readonly facts: SemQueries,
    private readonly snapshots: PinnedSemSnapshots,
    private readonly shown: ShownFacts,
  ) {}

  async execute({ actor, id, page: { cursor = '', limit = DEFAULT_PAGE } }: GetSemSnapshot) {
    const pinned = await this.snapshots.require(id);
    const facts = await this.facts.factsAtCount(pinned.eventCount, cursor, limit + 1);
    const page = facts.slice(0, limit);
    return {
      sem_snapshot_id: id,
      sem_snapshot_hash: pinned.hash,
      sem_event_count: pinned.eventCount,
      first_job_seed: pinned.firstJobSeed,
      facts: await this.shown.page(actor, page),
      next_cursor: facts.length > limit ? (page.at(-1)?.key ?? null) : null,
    };
  }
}
