import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Moments, requireOne } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber, Whole } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';
import { StoreTurns } from './store-turns.js';
import { TurnsPageDto } from './turn-view.js';

const DEFAULT_PAGE = 25;

@Describes({
  summary:
    'The turns of a store: what was said, what was kept of it, what was not, and why; the last ones first',
  roles: STORE_READERS,
  answers: [200, TurnsPageDto],
  fails: ['NOT_FOUND'],
  reads: ['memory_items'],
})
export class ListTurns extends StoreRead<Answer<TurnsPageDto>> {
  @EventNumber({
    optional: true,
    description: 'Only turns before this event, to read page by page from the end.',
  })
  before?: number;

  @EventNumber({
    optional: true,
    description: 'The turn that has this event, and those that follow. Not together with before.',
  })
  from?: number;

  @Whole({ optional: true, min: 1, max: 100, description: 'The turns in a page; default: 25.' })
  limit?: number;

  @At() at?: string;
}

@QueryHandler(ListTurns)
export class ListTurnsHandler implements IQueryHandler<ListTurns> {
  constructor(
    private readonly turns: StoreTurns,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListTurns): Promise<Answer<TurnsPageDto>> {
    const { before, from, limit = DEFAULT_PAGE } = asked;
    requireOne({ before, from });
    const position = await this.moments.positionAt(asked.at);
    return Answer.asOf(await this.turns.page(asked, { before, from, limit, position }), position);
  }
}
