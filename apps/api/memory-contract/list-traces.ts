import { QueryHandler } from '@nestjs/cqrs';
import { StoreReads } from './store-reads.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, EventNumber, OneOf, Whole } from '../platform/http/fields.js';
import { TracesPageDto } from './memory-view.js';
import { Describes } from '../platform/http/request.js';
import { STORE_READERS, StoreRead } from './store-read.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'The decisions in order, in pages; `plain` is easier to read',
  roles: STORE_READERS,
  answers: [200, TracesPageDto],
  fails: ['NOT_FOUND'],
  reads: ['memory_items'],
})
export class ListTraces extends StoreRead<Answer<TracesPageDto>> {
  @EventNumber({ optional: true, description: 'The number of the first event.' })
  from?: number;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
  @OneOf(['json', 'plain'], { optional: true }) format?: 'json' | 'plain';
  @At() at?: string;
}

@QueryHandler(ListTraces)
export class ListTracesHandler {
  constructor(
    private readonly reads: StoreReads,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListTraces) {
    const { from = 0, limit = DEFAULT_PAGE } = asked;
    const position = await this.moments.positionAt(asked.at);
    return Answer.asOf(await this.reads.traces(asked, { from, limit, position }), position);
  }
}
