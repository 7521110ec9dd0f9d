import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ViewedRequestsDto } from './dto/viewers.dto.js';
import { Viewers } from './viewers.js';

export class ListViewedRequests extends Query<ViewedRequestsDto> {}

/** Lists the requests at which reviewers look now. */
@QueryHandler(ListViewedRequests)
export class ListViewedRequestsHandler implements IQueryHandler<ListViewedRequests> {
  constructor(private readonly viewers: Viewers) {}

  execute(): Promise<ViewedRequestsDto> {
    return Promise.resolve({ requests: this.viewers.all() });
  }
}
