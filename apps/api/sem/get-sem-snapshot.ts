import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { canonicalPrefix, userEntityId } from '#domain/canonical-key/canonical-key.js';
import { SemQueries } from '#projections/sem/queries.js';
import { SemSnapshotDto } from './fact-view.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';
import { ShownFacts } from './shown-facts.js';
import { Text } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { FactsRead } from './fact-fields.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 100;

@Describes({
  summary: 'A snapshot that a job pinned, with its facts in pages',
  roles: { all: ['auditor', 'admin'], of: 'user' },
  answers: [200, SemSnapshotDto],
  fails: ['NOT_FOUND'],
  reads: ['sem', 'jobs'],
})
export class GetSemSnapshot extends FactsRead<SemSnapshotDto> {
  @Text({
    pattern: /^sem:[0-9a-f]{64}$/,
    form: 'be the id of a snapshot, as a job pins it: sem: and 64 hex digits',
    max: 68,
  })
  id!: string;
}

@QueryHandler(GetSemSnapshot)
export class GetSemSnapshotHandler implements IQueryHandler<GetSemSnapshot> {
  constructor(
    private readonly facts: SemQueries,
    private readonly snapshots: PinnedSemSnapshots,
    private readonly shown: ShownFacts,
  ) {}

  async execute(asked: GetSemSnapshot) {
    const { actor, id, user_id, cursor = '', limit = DEFAULT_PAGE } = asked;
    const pinned = await this.snapshots.require(id);
    const found = await this.facts.search({
      prefix: canonicalPrefix(asked.prefix ?? ''),
      after: cursor,
      limit: limit + 1,
      eventCount: pinned.eventCount,
      ...(user_id === undefined ? {} : { userEntityId: userEntityId(user_id) }),
    });
    const { rows, next_cursor } = pageOf(found, limit, ({ key }) => key);
    return {
      sem_snapshot_id: id,
      sem_snapshot_hash: pinned.hash,
      sem_event_count: pinned.eventCount,
      first_job_seed: pinned.firstJobSeed,
      facts: await this.shown.page(actor, rows),
      next_cursor,
    };
  }
}
