import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ownedBy, readsEveryOwner } from '#domain/ownership/access.js';
import { ReadQueries } from '#projections/why/queries.js';
import type { StoredRead } from '#projections/why/tables.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { Origins } from './explain-why.js';
import { Moments } from '../moments/moments.js';
import { ABOUT, listedBefore, ListAboutThing } from './why-fields.js';
import { type WhyReadDto, WhyReadsPageDto } from './why-view.js';
import { AdminAccessesPageDto } from '../oversight/oversight-view.js';
import { UnredactedReadsList } from '../oversight/unredacted-reads-list.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;

@Describes({
  ...ABOUT,
  summary: 'The reads of it that jobs recorded, newest first',
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
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListReads): Promise<Answer<WhyReadsPageDto>> {
    const { actor, kind, id: what, cursor, limit = DEFAULT_PAGE } = asked;
    const asOf = await this.moments.positionAt(asked.at, 'reads', 'episodes', 'memory_items');
    await this.origins.find(actor, kind, what, asOf);
    const isCurrent = asOf !== undefined || (await this.logEnd.isReached('reads'));
    const before = listedBefore(cursor, asOf);
    const owner = readsEveryOwner(actor) ? undefined : ownedBy(actor);
    const found = await this.reads.list({ what, owner, before, limit: limit + 1 });
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    return Answer.asOf({ reads: rows.map(viewOf), next_cursor }, asOf, isCurrent);
  }
}

function viewOf(row: StoredRead): WhyReadDto {
  const { job_seed, kind, tick, sem_snapshot_hash, actor, trace_id, recorded_at } = row;
  const { stream, number, position, event_hash: hash } = row;
  const event = { stream, number, position, hash };
  return { job_seed, kind, tick, sem_snapshot_hash, actor, trace_id, recorded_at, event };
}

@Describes({
  ...ABOUT,
  summary: 'The unredacted reads of its stream, newest first',
  answers: [200, AdminAccessesPageDto],
  reads: ['oversight', 'episodes', 'jobs', 'memory_items'],
})
export class ListAccessesTo extends ListAboutThing<AdminAccessesPageDto> {}

/** Lists the unredacted reads of something, for its owner and for those who oversee it (SPEC G7). */
@QueryHandler(ListAccessesTo)
export class ListAccessesToHandler implements IQueryHandler<ListAccessesTo> {
  constructor(
    private readonly origins: Origins,
    private readonly accesses: UnredactedReadsList,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListAccessesTo): Promise<Answer<AdminAccessesPageDto>> {
    const { actor, kind, id, at, cursor, limit = DEFAULT_PAGE } = asked;
    const asOf = await this.moments.positionAt(at, 'oversight', 'episodes', 'memory_items');
    const { stream, isOwn } = await this.origins.find(actor, kind, id, asOf);
    if (!isOwn) return Answer.asOf({ accesses: [], next_cursor: null }, asOf);
    const page = { stream, limit, ...(cursor === undefined ? {} : { cursor }) };
    return this.accesses.page(page, asOf);
  }
}
