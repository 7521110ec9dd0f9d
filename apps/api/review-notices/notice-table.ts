import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { OwnTables } from '#read-model/own-tables.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');

/** `new`: the request was made; `half_time`: half of its time is over. */
export type NoticeKind = 'new' | 'half_time';

/** A notice to send now. */
export interface DueNotice {
  readonly request_id: string;
  readonly notice: NoticeKind;
  /** The number of attempts that have failed. */
  readonly attempts: number;
}

const DUE: NamedQuery = {
  name: 'review_notices_due',
  text: `select request_id, notice, coalesce(delivery.attempts, 0) as attempts
    from action_requests.request
    cross join (values ('new', 0.0), ('half_time', 0.5)) as each (notice, share)
    left join review_notices.delivery using (request_id, notice)
    where request.status = 'pending'
      and request.expires_at::timestamptz > now()
      and now() >= request.requested_at::timestamptz + each.share
        * (request.expires_at::timestamptz - request.requested_at::timestamptz)
      and delivery.delivered_at is null
      and coalesce(delivery.next_attempt_at, '-infinity') <= now()
    order by request.position, each.share limit $1`,
};

const DELIVERED: NamedQuery = {
  name: 'review_notices_delivered',
  text: `insert into review_notices.delivery (request_id, notice, attempts, next_attempt_at, delivered_at)
    values ($1, $2, $3, 'infinity', now())
    on conflict (request_id, notice) do update
    set attempts = excluded.attempts, next_attempt_at = 'infinity', delivered_at = now()`,
};

const POSTPONED: NamedQuery = {
  name: 'review_notices_postponed',
  text: `insert into review_notices.delivery (request_id, notice, attempts, next_attempt_at)
    values ($1, $2, $3, now() + $4 * interval '1 millisecond')
    on conflict (request_id, notice) do update
    set attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at`,
};

/**
 * Keeps which notices were delivered, and when the others are tried again. Every method fails with
 * `PostgresUnavailable`.
 */
@Injectable()
export class NoticeTable {
  private readonly tables: OwnTables;

  constructor(private readonly postgres: Postgres) {
    this.tables = new OwnTables(postgres, 'review_notices', TABLES);
  }

  /** Returns notices of pending requests that are due, the oldest request first. */
  async due(limit: number): Promise<DueNotice[]> {
    await this.tables.make();
    return this.postgres.query<DueNotice>(DUE, [limit]);
  }

  async delivered({ request_id, notice, attempts }: DueNotice): Promise<void> {
    await this.postgres.query(DELIVERED, [request_id, notice, attempts + 1]);
  }

  /** Counts a failed attempt, and makes the notice due again after the pause. */
  async postpone({ request_id, notice, attempts }: DueNotice, pauseMs: number): Promise<void> {
    await this.postgres.query(POSTPONED, [request_id, notice, attempts + 1, pauseMs]);
  }
}
