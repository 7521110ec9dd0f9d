import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { ActionRequestsQuery } from './dto/action-request.dto.js';
import type { ActionRequestsPageDto } from './dto/action-request-view.dto.js';
import { ShownRequests } from './shown-requests.js';

const DEFAULT_PAGE = 50;

export class ListActionRequests extends Query<ActionRequestsPageDto> {
  constructor(
    readonly actor: Actor,
    readonly filter: ActionRequestsQuery,
  ) {
    super();
  }
}

/**
 * Lists all requests for the council; other callers get those that they proposed or that concern their user
 * (SPEC G2).
 */
@QueryHandler(ListActionRequests)
export class ListActionRequestsHandler implements IQueryHandler<ListActionRequests> {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly shown: ShownRequests,
  ) {}

  async execute({ actor, filter }: ListActionRequests): Promise<ActionRequestsPageDto> {
    const { status, cursor, limit = DEFAULT_PAGE } = filter;
    const rows = await this.requests.list({
      ...(status === undefined ? {} : { status }),
      ...(readsEveryOwner(actor) ? {} : { readable: requestsReadableBy(actor) }),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      action_requests: await Promise.all(page.map((row) => this.shown.row(row))),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
  }
}
