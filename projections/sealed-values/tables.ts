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

/** A row of the `erased_key` table. */
export interface StoredErasedKey {
  readonly kid: string;
  readonly subject: string;
  readonly version: number;
  readonly destroyed_by: string;
}

export const ERASED_KEY = new SealedTable<StoredErasedKey>('sealed_values.erased_key', ['kid'], {
  kid: 'plain',
  subject: 'plain',
  version: 'plain',
  destroyed_by: 'plain',
});
