import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { AdminAccessesPageDto } from '../oversight/dto/oversight.dto.js';
import { UnredactedReadsList } from '../oversight/unredacted-reads-list.js';
import { Answer } from '../platform/http/answer.js';
import type { WhyReadsQuery } from './dto/why.dto.js';
import { Origins } from './origins.js';

const DEFAULT_PAGE = 50;

export class ListAccessesTo extends Query<Answer<AdminAccessesPageDto>> {
  constructor(
    readonly actor: Actor,
    readonly asked: WhyReadsQuery,
  ) {
    super();
  }
}

/** Lists the unredacted reads of something, for its owner and for those who oversee it (SPEC G7). */
@QueryHandler(ListAccessesTo)
export class ListAccessesToHandler implements IQueryHandler<ListAccessesTo> {
  constructor(
    private readonly origins: Origins,
    private readonly accesses: UnredactedReadsList,
  ) {}

  async execute({ actor, asked }: ListAccessesTo): Promise<Answer<AdminAccessesPageDto>> {
    const { stream, isOwn } = await this.origins.find(actor, asked);
    if (!isOwn) return Answer.read({ accesses: [], next_cursor: null }, true);
    const { cursor, limit = DEFAULT_PAGE } = asked;
    return this.accesses.page({ stream, ...(cursor === undefined ? {} : { cursor }), limit });
  }
}
