import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `sealed_value` table. */
export interface StoredSealedValue {
  readonly kid: string;
  readonly position: string;
  readonly subject: string;
  readonly count: number;
  readonly recorded_at: string;
}

export const SEALED_VALUE = new SealedTable<StoredSealedValue>(
  'sealed_values.sealed_value',
  ['kid', 'position'],
  { kid: 'plain', position: 'bigint', subject: 'plain', count: 'plain', recorded_at: 'plain' },
);
