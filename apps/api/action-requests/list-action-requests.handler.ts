import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { RISK_LEVELS, type RiskLevel } from '#domain/action-request/risk-reasons.js';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import type { Json } from '#domain/json.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  ActionRequestQueries,
  type QueueCount,
  type QueueFilter,
  type QueuePlace,
} from '#projections/action-requests/queries.js';
import { cursorOf, placeOf } from '../platform/http/cursor.js';
import { STATUSES } from './dto/action-request.dto.js';
import type {
  ActionRequestCountsDto,
  ActionRequestsPageDto,
} from './dto/action-requests-page.dto.js';
import type { ActionRequestsQuery } from './dto/action-requests-query.dto.js';
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
    const { status, risk, order, cursor, limit = DEFAULT_PAGE, counts } = filter;
    const byRisk = risk !== undefined || order === 'risk' || order === 'deadline';
    permit(!byRisk || readsEveryOwner(actor), 'see the risk of requests', 'G9');
    const selected = queueFilterOf(actor, filter);
    const [rows, counted] = await Promise.all([
      this.requests.list({
        ...selected,
        ...(status === undefined ? {} : { status }),
        ...(risk === undefined ? {} : { risk }),
        ...(order === undefined ? {} : { order }),
        ...(cursor === undefined ? {} : { after: placeOf(cursor, isPlace) }),
        limit: limit + 1,
      }),
      counts === undefined ? undefined : this.requests.counts(selected),
    ]);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      action_requests: await Promise.all(page.map((row) => this.shown.row(actor, row))),
      ...(counted === undefined ? {} : { counts: countsOf(actor, counted, status) }),
      next_cursor: last === undefined ? null : cursorOf({ ...last.place }),
    };
  }
}

function queueFilterOf(actor: Actor, filter: ActionRequestsQuery): QueueFilter {
  const { kind, proposer, key_prefix, text, voted } = filter;
  return {
    ...(readsEveryOwner(actor) ? {} : { readable: requestsReadableBy(actor) }),
    ...(kind === undefined ? {} : { kind }),
    ...(proposer === undefined ? {} : { proposerSub: proposer }),
    ...(key_prefix === undefined ? {} : { keyPrefix: key_prefix }),
    ...(text === undefined ? {} : { text }),
    voterSub: actor.sub,
    ...(voted === undefined ? {} : { hasVoted: voted === 'true' }),
  };
}

const isPlace = (value: Json): value is QueuePlace & { readonly [field: string]: Json } => {
  const { rank, deadline, position } = (value ?? {}) as { readonly [field: string]: Json };
  return (
    Number.isInteger(rank) &&
    Math.abs(rank as number) <= RISK_LEVELS.length &&
    typeof deadline === 'string' &&
    !Number.isNaN(Date.parse(deadline)) &&
    typeof position === 'string' &&
    /^\d{1,18}$/.test(position)
  );
};

function countsOf(
  actor: Actor,
  counted: readonly QueueCount[],
  status: QueueCount['status'] | undefined,
): ActionRequestCountsDto {
  const sumOf = (isCounted: (one: QueueCount) => boolean): number =>
    counted.filter(isCounted).reduce((sum, { count }) => sum + count, 0);
  const by_status = Object.fromEntries(
    STATUSES.map((name) => [name, sumOf((one) => one.status === name)]),
  ) as ActionRequestCountsDto['by_status'];
  const inStatus = (one: QueueCount): boolean => status === undefined || one.status === status;
  const by_risk = Object.fromEntries(
    RISK_LEVELS.map((level) => [level, sumOf((one) => one.risk === level && inStatus(one))]),
  ) as Readonly<Record<RiskLevel, number>>;
  return { by_status, by_risk: readsEveryOwner(actor) ? by_risk : null };
}
