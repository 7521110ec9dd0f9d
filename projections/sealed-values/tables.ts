import { bigint, int, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row per event and key for the events that contain sealed values (SPEC P5). An erasure takes its manifest from here, so that it need not read the whole log. */
export const SEALED_VALUE = readTable('sealed_values.sealed_value', {
  key: ['kid', 'position'],
  columns: {
    /** The id of the key: `<subject>#<version>`. */
    kid: text(),
    position: bigint(),
    subject: text(),
    /** How many values of the event this key seals. */
    count: int(),
    recorded_at: text(),
  },
  indexes: {
    sealed_value_subject: '(subject, position)',
  },
});
/** A row of the table `sealed_value`. */
export type StoredSealedValue = RowOf<typeof SEALED_VALUE>;

/** The keys that erasures have destroyed, as the log names them (SPEC G6). A service whose table of keys is a copy from before an erasure destroys them again. */
export const ERASED_KEY = readTable('sealed_values.erased_key', {
  key: ['kid'],
  columns: {
    kid: text(),
    subject: text(),
    version: int(),
    /** The request of the erasure. */
    destroyed_by: text(),
  },
});
/** A row of the table `erased_key`. */
export type StoredErasedKey = RowOf<typeof ERASED_KEY>;
