import { bigint, int, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/**
 * One row for each second in which the greatest `recorded_at` of the log rose (SPEC W5). It says what stood before the
 * first rise of the second; the events of the second are found in the log itself.
 */
export const SECOND = readTable('recorded_times.second', {
  key: ['second'],
  columns: {
    /** In seconds since 1970. */
    second: bigint(),
    /** The position and the hash of the event before the first rise; null at the log's beginning. */
    before_position: orNull(bigint()),
    before_hash: orNull(text()),
    /** The position of the last rise before it. */
    rose_before: orNull(bigint()),
  },
});
export type StoredSecond = RowOf<typeof SECOND>;

/** The one row with the last event of the log, the greatest `recorded_at` up to it, and where that rose last. */
export const HEAD = readTable('recorded_times.head', {
  key: ['id'],
  columns: {
    id: int(),
    position: bigint(),
    hash: text(),
    latest: text(),
    last_rise: bigint(),
  },
});
export type StoredHead = RowOf<typeof HEAD>;
