import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredCheckpoint } from './checkpoints.projection.js';

const GET: NamedQuery = {
  name: 'checkpoints_get',
  text: 'select * from checkpoints.log_checkpoint where checkpoint_id = $1',
};

const LIST: NamedQuery = {
  name: 'checkpoints_list',
  text: `select * from checkpoints.log_checkpoint where ($1::bigint is null or position < $1)
    order by position desc limit $2`,
};

const WAITING: NamedQuery = {
  name: 'checkpoints_waiting',
  text: `select * from checkpoints.log_checkpoint where is_waiting and ($1::bigint is null or position > $1)
    order by position limit $2`,
};

/** Reads the checkpoints of the log. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class CheckpointQueries {
  constructor(private readonly postgres: Postgres) {}

  async get(checkpointId: string): Promise<StoredCheckpoint | undefined> {
    return (await this.postgres.query<StoredCheckpoint>(GET, [checkpointId]))[0];
  }

  /** Returns a page, the newest first. @param before the position of the last row of the page before */
  list(before: string | undefined, limit: number): Promise<StoredCheckpoint[]> {
    return this.postgres.query<StoredCheckpoint>(LIST, [before ?? null, limit]);
  }

  /** Returns those that a place does not keep yet, the oldest first, after a position. */
  waiting(after: string | undefined, limit: number): Promise<StoredCheckpoint[]> {
    return this.postgres.query<StoredCheckpoint>(WAITING, [after ?? null, limit]);
  }
}
