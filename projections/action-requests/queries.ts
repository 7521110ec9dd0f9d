import { Injectable } from '@nestjs/common';
import type {
  ActionRequestKind,
  ActionRequestStatus,
  Person,
  ReasonCode,
  Vote,
} from '#domain/action-request/events.js';
import type { ReadableRequests } from '#domain/action-request/view.js';
import type { Held, Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { RowSeals } from '#read-model/row-seals.js';
import { REQUEST, type StoredRequest, VOTE } from './tables.js';

const GET: NamedQuery = {
  name: 'action_requests_get',
  text: 'select * from action_requests.request where request_id = $1',
};

const VOTES: NamedQuery = {
  name: 'action_requests_votes',
  text: 'select * from action_requests.vote where request_id = $1 order by number',
};

const LIST: NamedQuery = {
  name: 'action_requests_list',
  text: `select * from action_requests.request
    where ($1::text is null or status = $1) and ($2::text is null or kind = $2)
      and ($3::text is null or target_sem_key = $3)
      and ($4::text is null or made_for_folded = $7 or made_for = $8
        or proposer_sub = $4 and ($5::boolean or proposer_user_folded is not distinct from $6))
      and ($9::bigint is null or position > $9)
    order by position limit $10`,
};

const EXPIRED: NamedQuery = {
  name: 'action_requests_expired',
  text: `select request_id from action_requests.request
    where status = 'pending' and expires_at <= $1 order by position limit $2`,
};

const COUNTS: NamedQuery = {
  name: 'action_requests_counts',
  text: 'select status, count(*) as count from action_requests.request group by status',
};

/** A request as it was stored, with its value, evidence and proposer in the form of the domain. */
export interface ActionRequestRow extends Omit<StoredRequest, StorageColumn> {
  readonly held: Held;
  readonly evidence: readonly JsonObject[];
  readonly proposer: Person;
  /** The reviewer who revised the value last (SPEC G8). */
  readonly editor: Person | null;
  /** The position after which the next page of a list begins. */
  readonly cursor: string;
}

/** The columns that only the table has, or has in another form. */
type StorageColumn =
  | ('position' | 'held' | 'is_sealed' | 'evidence' | 'made_for_folded')
  | ('proposer_sub' | 'proposer_user_id' | 'proposer_user_folded')
  | ('editor_sub' | 'editor_user_id');

export interface VoteRow {
  readonly number: number;
  readonly voter: Person;
  readonly vote: Vote;
  readonly reason: string;
  readonly reason_code: ReasonCode | null;
  readonly proposal_hash: string;
  readonly at: string;
}

export interface ActionRequestFilter {
  readonly status?: ActionRequestStatus;
  readonly kind?: ActionRequestKind;
  readonly readable?: ReadableRequests;
  readonly targetSemKey?: string;
  /** The `cursor` of the last row of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

/**
 * Reads the council's queue. All methods fail with `PostgresUnavailable` while Postgres cannot answer, and
 * refuse a changed row with INTEGRITY_FAILURE.
 */
@Injectable()
export class ActionRequestQueries {
  constructor(
    private readonly postgres: Postgres,
    private readonly seals: RowSeals,
  ) {}

  async get(requestId: string): Promise<ActionRequestRow | undefined> {
    const [row] = REQUEST.open(this.seals, await this.postgres.query(GET, [requestId]));
    return row && requestOf(row);
  }

  /** Returns the votes in the order in which they were cast. */
  async votes(requestId: string): Promise<VoteRow[]> {
    const rows = VOTE.open(this.seals, await this.postgres.query(VOTES, [requestId]));
    return rows.map(({ request_id: _, voter_sub, voter_user_id, ...vote }) => ({
      ...vote,
      voter: { sub: voter_sub, user_id: voter_user_id },
    }));
  }

  /** Returns a page of requests, the oldest first. */
  async list(filter: ActionRequestFilter): Promise<ActionRequestRow[]> {
    const { status, kind, targetSemKey, readable, after, limit } = filter;
    const { sub, user } = readable?.proposer ?? {};
    const { user: concerned, entity } = readable?.made_for ?? {};
    const proposed = [sub, user === undefined, user];
    const optional = [status, kind, targetSemKey, ...proposed, concerned, entity, after];
    const values = [...optional.map((value) => value ?? null), limit];
    const rows = REQUEST.open(this.seals, await this.postgres.query(LIST, values));
    return rows.map(requestOf);
  }

  /**
   * Returns the ids of pending requests that had expired at `at`, an ISO 8601 timestamp with milliseconds.
   */
  async expiredAt(at: string, limit: number): Promise<string[]> {
    const rows = await this.postgres.query<{ request_id: string }>(EXPIRED, [at, limit]);
    return rows.map(({ request_id }) => request_id);
  }

  async countsByStatus(): Promise<ReadonlyMap<ActionRequestStatus, number>> {
    const rows = await this.postgres.query<{ status: ActionRequestStatus; count: string }>(COUNTS);
    return new Map(rows.map(({ status, count }) => [status, Number(count)]));
  }
}

function requestOf(stored: StoredRequest): ActionRequestRow {
  const { held, is_sealed, evidence, position, ...others } = stored;
  const { proposer_sub, proposer_user_id, editor_sub, editor_user_id, ...shown } = others;
  const { proposer_user_folded: _proposer, made_for_folded: _user, ...row } = shown;
  const value = JSON.parse(held) as Json;
  return {
    ...row,
    held: is_sealed ? { sealed: value as unknown as Sealed } : { value },
    evidence: JSON.parse(evidence) as JsonObject[],
    proposer: { sub: proposer_sub, user_id: proposer_user_id },
    editor: editor_sub === null ? null : { sub: editor_sub, user_id: editor_user_id },
    cursor: position,
  };
}
