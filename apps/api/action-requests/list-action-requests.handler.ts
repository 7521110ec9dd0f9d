import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { isSealed } from '#domain/held.js';
import { hasRole, ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  ActionRequestQueries,
  type ActionRequestRow,
} from '#projections/action-requests/queries.js';
import type { ActionRequestsQuery } from './dto/action-request.dto.js';
import type { ActionRequestsPageDto } from './dto/action-request-view.dto.js';

const DEFAULT_PAGE = 50;

/** A sealed value is returned as sealed (SPEC P3). */
const rowView = ({ held, cursor: _, ...row }: ActionRequestRow) => ({
  ...row,
  value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value,
});

/** Selects the requests that the caller proposed (SPEC I9). */
function proposedBy(actor: Actor): { proposerSub: string; proposerUserId?: string } {
  const own = ownUserId(actor);
  return {
    proposerSub: actor.sub,
    ...(own === undefined ? {} : { proposerUserId: foldUserId(own) }),
  };
}

export class ListActionRequests extends Query<ActionRequestsPageDto> {
  constructor(
    readonly actor: Actor,
    readonly filter: ActionRequestsQuery,
  ) {
    super();
  }
}

/** Lists the council's queue; other callers get their own proposals (SPEC G2). */
@QueryHandler(ListActionRequests)
export class ListActionRequestsHandler implements IQueryHandler<ListActionRequests> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async execute({ actor, filter }: ListActionRequests): Promise<ActionRequestsPageDto> {
    const { status, cursor, limit = DEFAULT_PAGE } = filter;
    const rows = await this.requests.list({
      ...(status === undefined ? {} : { status }),
      ...(hasRole(actor, 'council', 'admin', 'auditor') ? {} : proposedBy(actor)),
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
