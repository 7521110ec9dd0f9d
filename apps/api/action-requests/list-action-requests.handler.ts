import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { isSealed } from '#domain/held.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  ActionRequestQueries,
  type ActionRequestRow,
} from '#projections/action-requests/queries.js';
import type { ActionRequestsQuery } from './dto/action-request.dto.js';
import type { ActionRequestsPageDto } from './dto/action-request-view.dto.js';

const DEFAULT_PAGE = 50;

/**
 * Returns a row for the list. In place of a sealed value, the row names the type of its personal data
 * (SPEC P3).
 */
const rowView = ({ held, cursor: _, ...row }: ActionRequestRow) => ({
  ...row,
  value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value,
});

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
  constructor(private readonly requests: ActionRequestQueries) {}

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
      action_requests: page.map(rowView),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
  }
}
