import { Injectable } from '@nestjs/common';
import type { Json, JsonObject } from '#domain/json.js';
import type { ReadableLogs } from '#domain/reflective-log/view.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';

import type { LogRow, StoredQuarantine, StoredReview } from './tables.js';

const GET: NamedQuery = {
  name: 'reflective_logs_get',
  text: 'select * from reflective_logs.reflective_log_stage0 where log_id = $1',
};

const LIST: NamedQuery = {
  name: 'reflective_logs_list',
  text: `select * from reflective_logs.reflective_log_stage0
    where ($1::text is null or job_seed = $1) and ($2::text is null or query_id = $2)
      and ($3::text is null or owner_user_folded = $6
        or owner_sub = $3 and ($4::boolean or owner_user_folded is not distinct from $5))
      and ($7::bigint is null or position > $7)
    order by position, log_id limit $8`,
};

const IDS_AFTER: NamedQuery = {
  name: 'reflective_logs_ids_after',
  text: `select log_id from reflective_logs.reflective_log_stage0
    where log_id > $1 order by log_id limit $2`,
};

const BY_IDS: NamedQuery = {
  name: 'reflective_logs_by_ids',
  text: 'select * from reflective_logs.reflective_log_stage0 where log_id = any($1::text[])',
};

const QUARANTINED: NamedQuery = {
  name: 'reflective_logs_quarantine',
  text: `select * from reflective_logs.quarantine
    where ($1::bigint is null or position > $1) order by position limit $2`,
};

const OPEN_REVIEWS: NamedQuery = {
  name: 'reflective_logs_open_reviews',
  text: `select review.* from reflective_logs.review
    join reflective_logs.reflective_log_stage0 as log using (log_id)
    where resolved_at is null and ($1::bigint is null or review.position > $1)
    order by review.position limit $2`,
};

export interface LogFilter {
  readonly jobSeed?: string;
  readonly queryId?: string;
  readonly readable?: ReadableLogs;
  /** The `position` of the last row of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

export interface QuarantineRow {
  readonly quarantine_id: string;
  readonly fault: 'tampered' | 'missing' | 'forged' | 'submitted';
  readonly log_id: string | null;
  readonly reason: string;
  readonly at: string;
  readonly detail: JsonObject;
  /** The position after which the next page of a list begins. */
  readonly cursor: string;
}

export interface OpenReview {
  readonly review_id: string;
  readonly log_id: string;
  readonly job_seed: string;
  readonly query_id: string;
  readonly final_answer: Json;
  readonly final_confidence: number | null;
  readonly requested_at: string;
  readonly requested_by: { readonly sub: string; readonly user_id: string | null };
  readonly reason: string;
  /** The position after which the next page of a list begins. */
  readonly cursor: string;
}

/** Reads the signed logs. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class ReflectiveLogQueries {
  constructor(private readonly postgres: Postgres) {}

  async find(logId: string): Promise<LogRow | undefined> {
    return (await this.postgres.query<LogRow>(GET, [logId]))[0];
  }

  /** Returns a page of logs, the oldest first. */
  list({ jobSeed, queryId, readable, after, limit }: LogFilter): Promise<LogRow[]> {
    const { sub, user } = readable?.owner ?? {};
    const filters = [jobSeed, queryId, sub, user === undefined, user, readable?.user, after];
    const values = [...filters.map((value) => value ?? null), limit];
    return this.postgres.query<LogRow>(LIST, values);
  }

  /** Returns log ids in byte order, after the id `after`. */
  async idsAfter(after: string, limit: number): Promise<string[]> {
    const rows = await this.postgres.query<{ log_id: string }>(IDS_AFTER, [after, limit]);
    return rows.map(({ log_id }) => log_id);
  }

  byIds(ids: readonly string[]): Promise<LogRow[]> {
    return this.postgres.query<LogRow>(BY_IDS, [ids]);
  }

  /** Returns a page of the quarantine, the oldest first. */
  async quarantine(after: string | undefined, limit: number): Promise<QuarantineRow[]> {
    const values = [after ?? null, limit];
    const rows = await this.postgres.query<StoredQuarantine>(QUARANTINED, values);
    return rows.map(({ position, detail, ...row }) => ({
      ...row,
      detail: JSON.parse(detail) as JsonObject,
      cursor: position,
    }));
  }

  /** Returns the reviews that wait for the council, the oldest first. */
  async openReviews(limit: number, after?: string): Promise<OpenReview[]> {
    const values = [after ?? null, limit];
    const rows = await this.postgres.query<StoredReview>(OPEN_REVIEWS, values);
    const ids = [...new Set(rows.map(({ log_id }) => log_id))];
    const found = ids.length === 0 ? [] : await this.byIds(ids);
    const logs = new Map(found.map((log) => [log.log_id, log]));
    return rows.flatMap((row) => {
      const log = logs.get(row.log_id);
      return log === undefined ? [] : [openReview(row, log)];
    });
  }
}

const openReview = (row: StoredReview, log: LogRow): OpenReview => ({
  review_id: row.review_id,
  log_id: row.log_id,
  job_seed: log.job_seed,
  query_id: log.query_id,
  final_answer: JSON.parse(log.final_answer) as Json,
  final_confidence: log.final_confidence,
  requested_at: row.requested_at,
  requested_by: { sub: row.requested_by_sub, user_id: row.requested_by_user_id },
  reason: row.reason,
  cursor: row.position,
});
