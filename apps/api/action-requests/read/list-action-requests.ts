import {
  ACTION_REQUEST_KINDS,
  ACTION_REQUEST_STATUSES,
  type ActionRequestKind,
  type ActionRequestStatus,
} from '#domain/action-request/events.js';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { RISK_LEVELS, type RiskLevel } from '#domain/action-request/risk-reasons.js';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { formsOf, nameOfPerson } from '#domain/action-request/persons.js';
import { personOf, readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  ActionRequestQueries,
  inThePast,
  type ListedRequest,
  pastRequest,
  type QueueCount,
  type QueueFilter,
  type QueuePlace,
} from '#projections/action-requests/queries.js';
import { REQUEST } from '#projections/action-requests/tables.js';
import { requestStream } from '#domain/stream-names.js';
import { isPosition } from '#domain/position.js';
import { Moments, requireOne } from '../../moments/moments.js';
import { PastRows } from '../../moments/past-rows.js';
import { Answer } from '../../platform/http/answer.js';
import { cursorOf, placeOf } from '../../platform/http/cursor.js';
import { type ActionRequestCountsDto, ActionRequestsPageDto } from './action-requests-page.js';
import {
  QUESTION_STATES,
  type QuestionState,
  QUEUE_ORDERS,
  type QueueOrder,
} from '#projections/action-requests/queue-sql.js';
import { RefusedRequestsScan, type ScannedPage } from '../recheck/refused-requests-scan.js';
import { ShownRequests } from './shown-requests.js';
import { readersOf } from '../../platform/auth/roles.js';
import { At, OneOf, Text, Whole } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';

const DEFAULT_PAGE = 50;

/** The filters and additions that depend on the present, or on what a list does not keep of the past. */
const OF_THE_PRESENT = [
  ...(['risk', 'voted', 'would_be_refused', 'question', 'assigned_to', 'snoozed'] as const),
  ...(['order', 'counts'] as const),
];

@Describes({
  summary: 'The council’s queue; other callers get the proposals by them and for their user',
  roles: readersOf('request'),
  answers: [200, ActionRequestsPageDto],
  reads: ['action_requests', 'sem', 'episodes'],
})
export class ListActionRequests extends ReadRequest<Answer<ActionRequestsPageDto>> {
  @OneOf(ACTION_REQUEST_STATUSES, { optional: true }) status?: ActionRequestStatus;

  @OneOf(RISK_LEVELS, {
    optional: true,
    description: 'Only for the council, auditors and admins, as `order=risk` and `order=deadline`.',
  })
  risk?: RiskLevel;

  @OneOf(ACTION_REQUEST_KINDS, { optional: true }) kind?: ActionRequestKind;

  @Text({ optional: true, min: 1, max: 256, description: 'The sub of the proposer.' })
  proposer?: string;

  @Text({ optional: true, min: 1, max: 256, description: 'The target begins with this text.' })
  key_prefix?: string;

  @Text({
    optional: true,
    min: 1,
    max: 256,
    description: 'Occurs in the target or the justification, in upper or lower case.',
  })
  text?: string;

  @OneOf(['true', 'false'], {
    optional: true,
    description: 'Whether the caller has voted on the current value.',
  })
  voted?: 'true' | 'false';

  @OneOf(['true', 'false'], {
    optional: true,
    description:
      'Whether an approval would be refused now; only pending requests. A page may then have fewer than `limit` requests, or none, and a next one. Only for the council, auditors and admins.',
  })
  would_be_refused?: 'true' | 'false';

  @OneOf(QUESTION_STATES, {
    optional: true,
    description:
      'The last question waits for its answer, the last question of a reviewer is answered, or that of the caller is.',
  })
  question?: QuestionState;

  @Text({
    optional: true,
    min: 1,
    max: 256,
    description:
      'The sub of the reviewer who works on it. Only for the council, auditors and admins, and never a request by or for the caller.',
  })
  assigned_to?: string;

  @OneOf(['true', 'false'], {
    optional: true,
    description: 'Whether the caller has put it off until a time that has not come.',
  })
  snoozed?: 'true' | 'false';

  @OneOf(QUEUE_ORDERS, {
    optional: true,
    description:
      '`oldest` by default. `deadline`: what expires first, then the highest risk; `risk`: the highest risk first, then what expires first.',
  })
  order?: QueueOrder;

  @OneOf(['true'], {
    optional: true,
    description: 'Adds the numbers of requests by status, by risk and by the states of questions.',
  })
  counts?: 'true';

  @At(...OF_THE_PRESENT) at?: string;

  @Text({
    optional: true,
    min: 1,
    max: 256,
    pattern: /^[A-Za-z0-9_-]+$/,
    form: 'be the next_cursor of an answer',
    description: 'The next_cursor of the previous page, which had the same order.',
  })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

/**
 * Lists all requests for the council; other callers get those that they proposed or that concern their user
 * (SPEC G2).
 */
@QueryHandler(ListActionRequests)
export class ListActionRequestsHandler implements IQueryHandler<ListActionRequests> {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly scan: RefusedRequestsScan,
    private readonly shown: ShownRequests,
    private readonly moments: Moments,
    private readonly past: PastRows,
  ) {}

  async execute(filter: ListActionRequests): Promise<Answer<ActionRequestsPageDto>> {
    const { actor, risk, order, counts } = filter;
    if (filter.at !== undefined) return this.listAt(filter, filter.at);
    const byRisk = risk !== undefined || order === 'risk' || order === 'deadline';
    permit(!byRisk || readsEveryOwner(actor), 'see the risk of requests', 'G9');
    const isOfReviewers = filter.assigned_to !== undefined;
    permit(!isOfReviewers || readsEveryOwner(actor), 'see who works on requests', 'G2');
    const selected = queueFilterOf(actor, filter);
    const [{ rows, next }, counted] = await Promise.all([
      this.page(actor, filter, selected),
      counts === undefined ? undefined : this.requests.counts(selected),
    ]);
    const page = {
      action_requests: await this.shown.rows(actor, rows),
      ...(counted === undefined ? {} : { counts: countsOf(actor, counted, filter) }),
      next_cursor: next === undefined ? null : cursorOf({ ...next }),
    };
    return Answer.asOf(page, undefined);
  }

  /** Lists the requests as they were at a time, the newest first. */
  private async listAt(
    filter: ListActionRequests,
    at: string,
  ): Promise<Answer<ActionRequestsPageDto>> {
    for (const name of OF_THE_PRESENT) requireOne({ at, [name]: filter[name] });
    const { actor, status, cursor, limit = DEFAULT_PAGE } = filter;
    const position = (await this.moments.positionAt(at, 'action_requests', 'sem'))!;
    const asked = queueFilterOf(actor, filter);
    const { rows, next } = await this.past.page<ListedRequest>({
      ...{ table: REQUEST, position, limit },
      rows: (last, count) => {
        const after = last?.place ?? (cursor === undefined ? undefined : placeOf(cursor, isPlace));
        return this.requests.list({
          ...{ ...asked, limit: count, order: 'newest', madeBy: position.toString() },
          ...(status === undefined ? {} : { status }),
          ...(after === undefined ? {} : { after }),
        });
      },
      streamOf: ({ request_id }) => requestStream(request_id),
      changedAt: ({ last_position }) => last_position,
      made: pastRequest,
      isAsked: (request) => status === undefined || request.status === status,
    });
    const page = {
      action_requests: await this.shown.rows(actor, rows.map(inThePast), position),
      next_cursor: next === undefined ? null : cursorOf({ ...next.place }),
    };
    return Answer.asOf(page, position);
  }

  private async page(
    actor: Actor,
    filter: ListActionRequests,
    selected: QueueFilter,
  ): Promise<ScannedPage> {
    const { status, risk, question, order, cursor, limit = DEFAULT_PAGE } = filter;
    const paged = {
      ...selected,
      ...(status === undefined ? {} : { status }),
      ...(risk === undefined ? {} : { risk }),
      ...(question === undefined ? {} : { question }),
      ...(order === undefined ? {} : { order }),
      ...(cursor === undefined ? {} : { after: placeOf(cursor, isPlace) }),
    };
    if (filter.would_be_refused !== undefined) {
      permit(readsEveryOwner(actor), 'see whether requests would be refused', 'G2');
      if (status !== undefined && status !== 'pending')
        throw new Refusal('INVALID_INPUT', { reason: 'would_be_refused: only pending requests' });
      const isRefused = filter.would_be_refused === 'true';
      return this.scan.page({ ...paged, status: 'pending', limit }, isRefused);
    }
    const read = await this.requests.list({ ...paged, limit: limit + 1 });
    const rows = read.slice(0, limit);
    return { rows, next: read.length > limit ? rows.at(-1)?.place : undefined };
  }
}

function queueFilterOf(actor: Actor, filter: ListActionRequests): QueueFilter {
  const { kind, proposer, key_prefix, text, voted, assigned_to, snoozed } = filter;
  return {
    ...(readsEveryOwner(actor) ? {} : { readable: requestsReadableBy(actor) }),
    ...(kind === undefined ? {} : { kind }),
    ...(proposer === undefined ? {} : { proposerSub: proposer }),
    ...(key_prefix === undefined ? {} : { keyPrefix: key_prefix }),
    ...(text === undefined ? {} : { text }),
    voterSub: actor.sub,
    snoozer: nameOfPerson(personOf(actor)),
    ...(voted === undefined ? {} : { hasVoted: voted === 'true' }),
    ...(assigned_to === undefined
      ? {}
      : { assignedTo: assigned_to, notConcerning: formsOf(personOf(actor)) }),
    ...(snoozed === undefined ? {} : { isSnoozed: snoozed === 'true' }),
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
    isPosition(position)
  );
};

function countsOf(
  actor: Actor,
  counted: readonly QueueCount[],
  { status, risk, question }: ListActionRequests,
): ActionRequestCountsDto {
  const sumOf = (...conditions: readonly ((one: QueueCount) => boolean)[]): number =>
    counted
      .filter((one) => conditions.every((isMet) => isMet(one)))
      .reduce((sum, { count }) => sum + count, 0);
  const inStatus = (one: QueueCount): boolean => status === undefined || one.status === status;
  const inRisk = (one: QueueCount): boolean => risk === undefined || one.risk === risk;
  const inQuestion = (one: QueueCount): boolean => question === undefined || one[question];
  const by = <Name extends string>(names: readonly Name[], count: (name: Name) => number) =>
    Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>;
  const by_risk = by(RISK_LEVELS, (level) =>
    sumOf(inStatus, inQuestion, (one) => one.risk === level),
  );
  return {
    by_status: by(ACTION_REQUEST_STATUSES, (name) =>
      sumOf(inQuestion, (one) => one.status === name),
    ),
    by_risk: readsEveryOwner(actor) ? by_risk : null,
    by_question: by(QUESTION_STATES, (state) => sumOf(inStatus, inRisk, (one) => one[state])),
  };
}
