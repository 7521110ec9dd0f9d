import { Injectable } from '@nestjs/common';
import { Postgres } from '#read-model/postgres.js';
import { RowSeals } from '#read-model/row-seals.js';
import {
  ERASED_KEY,
  SEALED_VALUE,
  type StoredErasedKey,
  type StoredSealedValue,
} from './tables.js';

/** An event that contains values sealed under one key. */
export interface SealedValueRow extends StoredSealedValue {
  readonly stream: string;
  readonly number: number;
  readonly event_hash: string;
}

const PAGE = 5_000;

/** Reads which events contain sealed values. */
@Injectable()
export class SealedValueQueries {
  constructor(
    private readonly postgres: Postgres,
    private readonly seals: RowSeals,
  ) {}

  /** Yields the events with values sealed under these keys, in log order. */
  async *byKeys(kids: readonly string[]): AsyncGenerator<SealedValueRow> {
    let after = { position: '-1', kid: '' };
    for (;;) {
      const rows = await this.postgres.query<SealedValueRow>(
        `select * from sealed_values.sealed_value
         where kid = any($1::text[]) and (position, kid) > ($2, $3)
         order by position, kid limit ${PAGE}`,
        [kids, after.position, after.kid],
      );
      const own = SEALED_VALUE.open(this.seals, rows);
      for (const [index, row] of rows.entries()) {
        const { stream, number, event_hash } = row;
        yield { ...(own[index] as StoredSealedValue), stream, number, event_hash };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last;
    }
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
      yield ERASED_KEY.open(this.seals, rows);
      after = last.kid;
    }
  }

  /** Returns when the subject's last sealed value was recorded; undefined without any. */
  async lastRecordedAt(subject: string): Promise<string | undefined> {
    const rows = await this.postgres.query<SealedValueRow>(
      `select * from sealed_values.sealed_value
       where subject = $1 order by position desc limit 1`,
      [subject],
    );
    return SEALED_VALUE.open(this.seals, rows)[0]?.recorded_at;
  }
}
