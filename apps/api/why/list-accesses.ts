import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { AdminAccessesPageDto } from '../oversight/oversight-view.js';
import { UnredactedReadsList } from '../oversight/unredacted-reads-list.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { Origins } from './origins.js';
import { ABOUT, ListAboutThing } from './why-fields.js';

const DEFAULT_PAGE = 50;

@Describes({
  ...ABOUT,
  summary: 'The unredacted reads of its stream, newest first (SPEC G7)',
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
  ) {}

  async execute(asked: ListAccessesTo): Promise<Answer<AdminAccessesPageDto>> {
    const { actor, kind, id, cursor, limit = DEFAULT_PAGE } = asked;
    const { stream, isOwn } = await this.origins.find(actor, kind, id);
    if (!isOwn) return Answer.read({ accesses: [], next_cursor: null }, true);
    return this.accesses.page({ stream, ...(cursor === undefined ? {} : { cursor }), limit });
  }
}
