import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { StorePath, TracesQuery } from './dto/memory-path.dto.js';
import { type NumberedTrace, StoreReads } from './store-reads.js';

const DEFAULT_PAGE = 50;

export interface TracesPage {
  readonly traces: readonly NumberedTrace[];
  /** The first event number of the next page; null on the last page. */
  readonly next_from: number | null;
}

export class ListTraces extends Query<TracesPage> {
  constructor(
    readonly actor: Actor,
    readonly path: StorePath,
    readonly page: Pick<TracesQuery, 'from' | 'limit'>,
  ) {
    super();
  }
}

/** Lists the decisions about a store, oldest first (SPEC M19). */
@QueryHandler(ListTraces)
export class ListTracesHandler implements IQueryHandler<ListTraces> {
  constructor(private readonly reads: StoreReads) {}

  execute({ actor, path, page: { from = 0, limit = DEFAULT_PAGE } }: ListTraces) {
    return this.reads.traces(actor, path, from, limit);
  }
}
