import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { StoredErasedKey, StoredSealedValue } from './sealed-values.projection.js';

/** How much sealed data of one subject the log contains. */
export interface RetainedSubject {
  readonly subject: string;
  readonly events: number;
  readonly first_recorded_at: string;
  readonly last_recorded_at: string;
}

/** The sealed values of a subject in one category of streams. */
export interface SealedKind {
  /** The category, as `categoryOf` names it. */
  readonly kind: string;
  readonly values: number;
  readonly events: number;
  readonly streams: number;
  readonly first_recorded_at: string;
  readonly last_recorded_at: string;
}

const PAGE = 5_000;

/** $2: the ids of keys, or null for the keys of the subject $1 that no erasure has destroyed. */
const KINDS: NamedQuery = {
  name: 'sealed_values_kinds',
  text: `select split_part(v.stream, '-', 1) as kind, sum(v.count)::int as values,
      count(distinct v.position)::int as events, count(distinct v.stream)::int as streams,
      min(v.recorded_at) as first_recorded_at, max(v.recorded_at) as last_recorded_at
    from sealed_values.sealed_value as v
    where v.subject = $1 and case when $2::text[] is null
      then not exists (select from sealed_values.erased_key as e where e.kid = v.kid)
      else v.kid = any($2) end
    group by 1 order by 1`,
};

/** Reads which events contain sealed values. */
@Injectable()
export class SealedValueQueries {
  constructor(private readonly postgres: Postgres) {}

  /** Yields the events with values sealed under these keys, in log order. */
  async *byKeys(kids: readonly string[]): AsyncGenerator<StoredSealedValue> {
    let after = { position: '-1', kid: '' };
    for (;;) {
      const rows = await this.postgres.query<StoredSealedValue>(
        `select * from sealed_values.sealed_value
         where kid = any($1::text[]) and (position, kid) > ($2, $3)
         order by position, kid limit ${PAGE}`,
        [kids, after.position, after.kid],
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last;
    }
  }

  /** Returns the subjects after one, in byte order, with what the log contains of each. */
  async subjects(after: string, limit: number): Promise<RetainedSubject[]> {
    const found = await this.postgres.query<{ subject: string }>(
      `select distinct subject from sealed_values.sealed_value
       where subject > $1 order by subject limit $2`,
      [after, limit],
    );
    return Promise.all(found.map(({ subject }) => this.retained(subject)));
  }

  private async retained(subject: string): Promise<RetainedSubject> {
    const [first, last, [counted]] = await Promise.all([
      this.edge(subject, 'asc'),
      this.edge(subject, 'desc'),
      this.postgres.query<{ events: number }>(
        `select count(distinct position)::int as events from sealed_values.sealed_value
         where subject = $1`,
        [subject],
      ),
    ]);
    return {
      subject,
      events: counted?.events ?? 0,
      first_recorded_at: first?.recorded_at ?? '',
      last_recorded_at: last?.recorded_at ?? '',
    };
  }

  /** Counts the values of a subject by category: those under these keys, else those that can still be opened. */
  kindsOf(subject: string, kids?: readonly string[]): Promise<SealedKind[]> {
    return this.postgres.query<SealedKind>(KINDS, [subject, kids ?? null]);
  }

  /** Yields all keys that erasures have destroyed, in pages. */
  async *erasedKeys(): AsyncGenerator<readonly StoredErasedKey[]> {
    let after = '';
    for (;;) {
      const rows = await this.postgres.query<StoredErasedKey>(
        `select * from sealed_values.erased_key where kid > $1 order by kid limit ${PAGE}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.kid;
    }
  }

  /** Returns when the subject's last sealed value was recorded; undefined without any. */
  async lastRecordedAt(subject: string): Promise<string | undefined> {
    return (await this.edge(subject, 'desc'))?.recorded_at;
  }

  /** Returns the first or the last row of a subject. */
  private async edge(
    subject: string,
    order: 'asc' | 'desc',
  ): Promise<StoredSealedValue | undefined> {
    const rows = await this.postgres.query<StoredSealedValue>(
      `select * from sealed_values.sealed_value
       where subject = $1 order by position ${order} limit 1`,
      [subject],
    );
    return rows[0];
  }
}
