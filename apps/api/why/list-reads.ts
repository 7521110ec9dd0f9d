import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ownedBy, readsEveryOwner } from '#domain/ownership/access.js';
import { ReadQueries } from '#projections/why/queries.js';
import type { StoredRead } from '#projections/why/tables.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { Origins } from './origins.js';
import { ABOUT, ListAboutThing } from './why-fields.js';
import { type WhyReadDto, WhyReadsPageDto } from './why-view.js';

const DEFAULT_PAGE = 50;

@Describes({
  ...ABOUT,
  summary: 'The reads of it that jobs recorded, newest first (SPEC J10)',
  answers: [200, WhyReadsPageDto],
  reads: ['reads', 'episodes', 'jobs', 'memory_items'],
})
export class ListReads extends ListAboutThing<WhyReadsPageDto> {}

/** Lists the reads of something that jobs recorded; an owner gets those of its own jobs (SPEC J10, I9). */
@QueryHandler(ListReads)
export class ListReadsHandler implements IQueryHandler<ListReads> {
  constructor(
    private readonly origins: Origins,
    private readonly reads: ReadQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute(asked: ListReads): Promise<Answer<WhyReadsPageDto>> {
    const { actor, kind, id: what, cursor: before, limit = DEFAULT_PAGE } = asked;
    await this.origins.find(actor, kind, what);
    const isCurrent = await this.logEnd.isReached('reads');
    const owner = readsEveryOwner(actor) ? undefined : ownedBy(actor);
    const found = await this.reads.list({ what, owner, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const answer = {
      reads: page.map(viewOf),
      next_cursor: found.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}

function viewOf(row: StoredRead): WhyReadDto {
  const { job_seed, kind, tick, sem_snapshot_hash, actor, trace_id, recorded_at } = row;
  const { stream, number, position, event_hash: hash } = row;
  const event = { stream, number, position, hash };
  return { job_seed, kind, tick, sem_snapshot_hash, actor, trace_id, recorded_at, event };
}
