import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredHead, StoredSecond } from './tables.js';

const AROUND: NamedQuery = {
  name: 'recorded_times_around',
  text: `select here.second, here.before_position, here.before_hash, here.last_rise,
      next.second is not null as is_past, next.before_position as end_position, next.before_hash as end_hash,
      head.position as head_position, head.hash as head_hash
    from (select) as one
    left join lateral (select * from recorded_times.second
      where second <= $1 order by second desc limit 1) as here on true
    left join lateral (select * from recorded_times.second
      where second > $1 order by second limit 1) as next on true
    left join recorded_times.head as head on true`,
};

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** What the log shows around a second: the last rise of its times up to then, and its end before the next one. */
export interface TimesAround
  extends
    Nullable<StoredSecond>,
    Nullable<{
      end_position: StoredHead['position'];
      end_hash: StoredHead['hash'];
      head_position: StoredHead['position'];
      head_hash: StoredHead['hash'];
    }> {
  /** True if the times of the log have risen beyond the second. */
  readonly is_past: boolean;
}

/** Reads which position was the log's end at a time. Fails with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class RecordedTimesQueries {
  constructor(private readonly postgres: Postgres) {}

  /** @param second in seconds since 1970 */
  async around(second: number): Promise<TimesAround> {
    const [row] = await this.postgres.query<TimesAround>(AROUND, [second]);
    if (row === undefined) throw new Error('a query without a condition has one row');
    return row;
  }
}
