import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SemQueries } from '#projections/sem/queries.js';
import { Roles } from '../platform/auth/roles.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { SearchFactsQuery, SnapshotPath } from './dto/fact.dto.js';
import { factView } from './fact-view.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';

const DEFAULT_PAGE = 100;

@ApiTags('sem')
@Controller('v1/sem-snapshots')
export class SemSnapshotsController {
  constructor(
    private readonly queries: SemQueries,
    private readonly snapshots: PinnedSemSnapshots,
  ) {}

  @Get(':id')
  @ReadsFrom('sem', 'jobs')
  @Roles('auditor', 'admin')
  @ApiOperation({ summary: 'A snapshot that a job pinned, and its facts, paged (SPEC S8)' })
  async get(@Param() { id }: SnapshotPath, @Query() { cursor, limit }: SearchFactsQuery) {
    const pinned = await this.snapshots.require(id);
    const size = limit ?? DEFAULT_PAGE;
    const facts = await this.queries.factsAtCount(pinned.eventCount, cursor ?? '', size + 1);
    const page = facts.slice(0, size);
    return {
      sem_snapshot_id: id,
      sem_snapshot_hash: pinned.hash,
      sem_event_count: pinned.eventCount,
      first_job_seed: pinned.firstJobSeed,
      facts: page.map((fact) => ({ key: fact.key, ...factView(fact) })),
      next_cursor: facts.length > size ? (page.at(-1)?.key ?? null) : null,
    };
  }
}
