import { QueryHandler } from '@nestjs/cqrs';
import { StoreReads } from './store-reads.js';
import { EventNumber, OneOf, Whole } from '../platform/http/fields.js';
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
export class ListTraces extends StoreRead<TracesPageDto> {
  @EventNumber({ optional: true, description: 'The number of the first event.' })
  from?: number;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
  @OneOf(['json', 'plain'], { optional: true }) format?: 'json' | 'plain';
}

@QueryHandler(ListTraces)
export class ListTracesHandler {
  constructor(private readonly reads: StoreReads) {}

  execute(asked: ListTraces) {
    const { from = 0, limit = DEFAULT_PAGE } = asked;
    return this.reads.traces(asked, from, limit);
  }
}
