import { Injectable } from '@nestjs/common';
import type { OwnedBy } from '#domain/ownership/access.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredRead } from './tables.js';

const LIST: NamedQuery = {
  name: 'reads_list',
  text: `select * from reads.read
    where what = $1 and ($2::bigint is null or position < $2)
      and ($3::text is null or owner_sub = $3 and ($4::boolean or owner_user_id is not distinct from $5))
    order by position desc limit $6`,
};

export interface ReadsFilter {
  /** The id that jobs recorded. */
  readonly what: string;
  /** If set, only the reads of jobs of this owner. */
  readonly owner: OwnedBy | undefined;
  /** The `position` of the last row of the previous page. */
  readonly before: string | undefined;
  readonly limit: number;
}

/**
 * Reads which jobs recorded a read of something. All methods fail with `PostgresUnavailable` while Postgres cannot
 * answer.
 */
@Injectable()
export class ReadQueries {
  constructor(private readonly postgres: Postgres) {}

  /** Returns a page of reads, the newest first. */
  list({ what, owner, before, limit }: ReadsFilter): Promise<StoredRead[]> {
    const owned = [owner?.sub ?? null, owner?.user === undefined, owner?.user ?? null];
    return this.postgres.query<StoredRead>(LIST, [what, before ?? null, ...owned, limit]);
  }
}
