import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredHead, StoredSecond } from './tables.js';

const AROUND: NamedQuery = {
  name: 'recorded_times_around',
  text: `select here.second, here.before_position, here.before_hash,
      coalesce(next.rose_before, head.last_rise) as last_rise,
      next.second is not null as is_past,
      case when next.second is null then head.position else next.before_position end as end_position,
      case when next.second is null then head.hash else next.before_hash end as end_hash
    from (select) as one
    left join lateral (select * from recorded_times.second
      where second <= $1 order by second desc limit 1) as here on true
    left join lateral (select * from recorded_times.second
      where second > $1 order by second limit 1) as next on true
    left join recorded_times.head as head on true`,
};

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** What the log shows around a second: the last second up to it in which its times rose, and its end before the next one. */
export interface TimesAround extends Nullable<
  Omit<StoredSecond, 'rose_before'> & Pick<StoredHead, 'last_rise'>
> {
  /** True if the times of the log have risen beyond the second. */
  readonly is_past: boolean;
  readonly end_position: StoredHead['position'] | null;
  readonly end_hash: StoredHead['hash'] | null;
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
