import { Injectable } from '@nestjs/common';
import { inSlices } from '#bounded/slices.js';
import type {
  ActionRequested,
  ActionRequestKind,
  ActionRequestStatus,
  Person,
  Vote,
} from '#domain/action-request/events.js';
import {
  type Risk,
  RISK_LEVELS,
  type RiskLevel,
  type RiskReason,
} from '#domain/action-request/risk-reasons.js';
import type { ClosedRequest } from '#domain/action-request/council-figures.js';
import type { ReadableRequests } from '#domain/action-request/view.js';
import type { FormsOfPerson } from '#domain/action-request/persons.js';
import type { Held, Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { requestStream } from '#domain/stream-names.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { closedBetween } from './closed-requests.js';
import { COUNTS, listQuery, type QuestionState, type QueueOrder } from './queue-sql.js';
import { REJECTED_LIKE, RISK_BY_ID, RISK_IF_MADE } from './risk-sql.js';
import {
  type BriefRequest,
  type StorageColumn,
  type StoredRequest,
  withoutStorage,
} from './request-columns.js';
import { requestRow } from './request-row.js';
import { REQUEST } from './tables.js';
import { readableValues } from './readable-sql.js';

const BY_IDS: NamedQuery = {
  name: 'action_requests_by_ids',
  text: 'select * from action_requests.request where request_id = any($1::text[])',
};

const CONCERNING: NamedQuery = {
  name: 'action_requests_concerning',
  text: `select request_id from action_requests.request
    where (made_for_folded = $1 or proposer_user_folded = $1) and ($3::bigint is null or position <= $3)
    order by position desc limit $2`,
};

/** A request as it was stored, with its value, evidence and proposer in the form of the domain. */
export interface ActionRequestRow extends Omit<BriefRequest, StorageColumn> {
  readonly held: Held;
  /** In a list only the first entries. */
  readonly evidence: readonly JsonObject[];
  readonly proposer: Person;
  /** The reviewer who revised the value last (SPEC G8). */
  readonly editor: Person | null;
}

/** A request with the commit position of its first event. */
export type PlacedRequest = ActionRequestRow & { readonly position: string };

export interface ListedRequest extends ActionRequestRow {
  /** The present risk of a pending request, else that of the last vote; null if that recorded none. */
  readonly risk: Risk | null;
  /** The vote of the caller on the current value. */
  readonly own_vote: Vote | null;
  /** True if the last question of a reviewer is answered. */
  readonly answers_reviewer: boolean;
  /** True if the caller's last question is answered. */
  readonly answers_caller: boolean;
  /** Until when the caller has put it off. */
  readonly snoozed_until: string | null;
  readonly place: QueuePlace;
  /** The position of its stream's last event. */
  readonly last_position: string;
}

/** Where a list goes on: after the row with this risk (-1 to 2), deadline and position. */
export interface QueuePlace {
  readonly rank: number;
  readonly deadline: string;
  readonly position: string;
}

export interface QueueCount extends Readonly<Record<QuestionState, boolean>> {
  readonly status: ActionRequestStatus;
  readonly risk: RiskLevel | null;
  readonly count: number;
}

export interface QueueFilter {
  readonly kind?: ActionRequestKind;
  readonly readable?: ReadableRequests;
  readonly targetSemKey?: string;
  readonly proposerSub?: string;
  readonly keyPrefix?: string;
  /** Occurs in the key or, in any case of letters, in the justification. */
  readonly text?: string;
  /** The sub whose own votes are shown. */
  readonly voterSub?: string;
  /** Selects the requests on whose current value this sub has voted, or has not. */
  readonly hasVoted?: boolean;
  /** Selects the requests that are assigned to this sub. */
  readonly assignedTo?: string;
  /** The name of the person whose own snoozes are shown (`nameOfPerson`). */
  readonly snoozer?: string;
  /** Selects the requests that the snoozer has put off, or has not. */
  readonly isSnoozed?: boolean;
  /** Leaves out the requests that were made by or for a person. */
  readonly notConcerning?: FormsOfPerson;
}

export interface ActionRequestFilter extends QueueFilter {
  /** With `madeBy`, the list also has the requests that have changed since, because they may have had the status then. */
  readonly status?: ActionRequestStatus;
  readonly risk?: RiskLevel;
  readonly question?: QuestionState;
  readonly order?: QueueOrder;
  /** The `place` of the last row of the previous page. */
  readonly after?: QueuePlace;
  /** Only requests that were made by this position. */
  readonly madeBy?: string;
  readonly limit: number;
}

/**
 * Reads the council's queue. All methods fail with `PostgresUnavailable` while Postgres cannot answer, and
 * refuse a changed row with INTEGRITY_FAILURE.
 */
@Injectable()
export class ActionRequestQueries {
  constructor(private readonly postgres: Postgres) {}

  /** Returns those of the requests that exist, with all of their evidence, in no order. */
  async byIds(requestIds: readonly string[]): Promise<PlacedRequest[]> {
    const rows = await REQUEST.read(this.postgres, BY_IDS, [requestIds]);
    return inSlices(placedOf(rows));
  }

  /** Returns a page of requests, the oldest first unless the filter names another order. */
  async list(filter: ActionRequestFilter): Promise<ListedRequest[]> {
    const { status = null, risk, question = null, order = 'oldest', after, limit } = filter;
    const { madeBy = null } = filter;
    const rank = risk === undefined ? null : RISK_LEVELS.indexOf(risk);
    const cursor = [after?.rank ?? null, after?.deadline ?? null, after?.position ?? null];
    const values = [...filterValues(filter), status, rank, ...cursor, limit, question, madeBy];
    const rows: readonly (BriefRequest & QueueColumns)[] = await REQUEST.read<QueueColumns>(
      this.postgres,
      listQuery(order),
      values,
    );
    return rows.map(listedOf);
  }

  /**
   * Returns the ids of the newest requests that were made by or for a person. @param folded the user id, folded @param madeBy
   * the position up to which they were made; undefined for the present
   */
  async concerning(folded: string, limit: number, madeBy?: bigint): Promise<string[]> {
    const rows = await this.postgres.query<Pick<StoredRequest, 'request_id'>>(CONCERNING, [
      folded,
      limit,
      madeBy ?? null,
    ]);
    return rows.map(({ request_id }) => request_id);
  }

  /** Counts the requests of a filter by status, risk and states of questions. */
  async counts(filter: QueueFilter): Promise<QueueCount[]> {
    const rows = await this.postgres.query<
      Omit<QueueCount, 'risk'> & { readonly rank: number | null }
    >(COUNTS, filterValues(filter));
    return rows.map(({ rank, ...row }) => ({ ...row, risk: levelOf(rank) }));
  }

  /** Returns the requests that were closed from one time to before another. */
  closedBetween(from: string, to: string): Promise<ClosedRequest[]> {
    return closedBetween(this.postgres, { from, to });
  }

  /**
   * Returns the present risk of a waiting request, else that of its last vote. Null for a request that is not there yet,
   * and for a vote that recorded none.
   */
  async riskOf(requestId: string): Promise<Risk | null> {
    const [row] = await REQUEST.read<RiskColumns>(this.postgres, RISK_BY_ID, [requestId]);
    return row === undefined ? null : riskIn(row);
  }

  /** Returns the ids of the newest requests with the same value for the same key that the votes rejected. */
  async rejectedLike(requestId: string, limit: number): Promise<string[]> {
    const rows = await REQUEST.read(this.postgres, REJECTED_LIKE, [requestId, limit]);
    return rows.map(({ request_id }) => request_id);
  }

  /**
   * Returns the risk that a request would have if it was made now. @param readable the other requests that it may depend
   * on; undefined for all
   */
  async riskIfMade(
    request: ActionRequested,
    readable: ReadableRequests | undefined,
  ): Promise<Risk> {
    const stream = requestStream(request.request_id);
    const row = requestRow({ stream, number: 0, position: 0n, data: request });
    const [found] = await this.postgres.query<RiskColumns>(RISK_IF_MADE, [
      JSON.stringify(row),
      ...readableValues(readable),
    ]);
    const risk = found && riskIn(found);
    if (!risk) throw new TypeError('A waiting request has a risk');
    return risk;
  }
}

/** Both are null if no risk is known. */
interface RiskColumns {
  readonly rank: number | null;
  readonly reasons: readonly RiskReason[] | null;
}

const levelOf = (rank: number | null): RiskLevel | null =>
  rank === null ? null : (RISK_LEVELS[rank] ?? null);

function riskIn({ rank, reasons }: RiskColumns): Risk | null {
  const level = levelOf(rank);
  return level === null || reasons === null ? null : { level, reasons };
}

interface QueueColumns extends RiskColumns {
  readonly own_vote: Vote | null;
  readonly answers_caller: boolean;
  readonly snoozed_until: string | null;
}

function listedOf(row: BriefRequest & QueueColumns): ListedRequest {
  const { rank, reasons, own_vote, answers_caller, snoozed_until, ...stored } = row;
  const request = requestOf(stored, stored.evidence_excerpt);
  const { position, answered_askers, last_position } = stored;
  const answers_reviewer = answered_askers.length > 0;
  const place = { rank: rank ?? -1, deadline: request.expires_at, position };
  const risk = riskIn({ rank, reasons });
  return {
    ...{ ...request, risk, own_vote, answers_reviewer, answers_caller },
    ...{ snoozed_until, place, last_position },
  };
}

/** Returns a row that was folded up to an earlier position, as the list has rows. */
export const pastRequest = ({ evidence: _, ...row }: StoredRequest): ListedRequest =>
  listedOf({
    ...row,
    rank: row.voted_risk === null ? null : RISK_LEVELS.indexOf(row.voted_risk),
    reasons: row.voted_reasons,
    ...{ own_vote: null, answers_caller: false, snoozed_until: null },
  });

/** Returns a row without what only the present has: the risk of a waiting request, and what it is to the caller. */
export const inThePast = (row: ListedRequest): ListedRequest => ({
  ...row,
  risk: row.status === 'pending' ? null : row.risk,
  ...{ own_vote: null, answers_caller: false, snoozed_until: null },
});

function filterValues(filter: QueueFilter): readonly unknown[] {
  const { kind, targetSemKey, readable, proposerSub, keyPrefix, text, voterSub, hasVoted } = filter;
  const { assignedTo, isSnoozed, snoozer, notConcerning } = filter;
  const owned = readableValues(readable);
  const values = [kind, targetSemKey, ...owned, voterSub, proposerSub, keyPrefix, text, hasVoted];
  const { ids, entities } = notConcerning ?? {};
  return [...values, assignedTo, isSnoozed, ids, entities, snoozer].map((value) => value ?? null);
}

/** Evidence can be large, so each is read in a slice of its own. */
function* placedOf(rows: readonly StoredRequest[]) {
  const placed: PlacedRequest[] = [];
  for (const { evidence, ...row } of rows) {
    placed.push({ ...requestOf(row, evidence), position: row.position });
    yield;
  }
  return placed;
}

/** @param evidence the canonical JSON of the entries that are shown */
function requestOf(stored: BriefRequest, evidence: string): ActionRequestRow {
  const { held, is_sealed, proposer_sub, proposer_user_id, editor_sub, editor_user_id } = stored;
  const value = JSON.parse(held) as Json;
  return {
    ...withoutStorage(stored),
    held: is_sealed ? { sealed: value as unknown as Sealed } : { value },
    evidence: JSON.parse(evidence) as JsonObject[],
    proposer: { sub: proposer_sub, user_id: proposer_user_id },
    editor: editor_sub === null ? null : { sub: editor_sub, user_id: editor_user_id },
  };
}
