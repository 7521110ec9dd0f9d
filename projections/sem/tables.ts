import { ownerDecider } from '#domain/ownership/owner.decider.js';
import { bigint, bool, int, orNull, text, type RowOf, type RowWith } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { readTable } from '#read-model/read-table.js';

/** The columns of both tables that a put or a deletion fills. */
const WRITTEN = {
  /** Canonical JSON of the value, or of its sealed form. */
  held: orNull(text()),
  is_sealed: bool(),
  timestamp: orNull(text()),
  source: orNull(text()),
  notes: orNull(text()),
  meta: orNull(text()),
};
export type Written = RowWith<typeof WRITTEN>;

/** One row per SEM stream, including streams with only claims or a deletion: `revision` shows a read whether the row includes the stream's last event (SPEC S6). */
export const FACT = readTable('sem.fact', {
  key: ['key'],
  mac: true,
  columns: {
    key: text(),
    scope: text(),
    entity_id: text(),
    revision: int(),
    /** The ordinal of the SEM event that put or deleted the current value; null while the stream has only claims. */
    n: orNull(bigint()),
    is_current: bool(),
    ...WRITTEN,
  },
});
export type FactRow = RowOf<typeof FACT>;

/** One row per SEM event in log order, so that a read at a snapshot of n events is always exact (SPEC S8). A job decides by it. */
export const HISTORY = readTable('sem.history', {
  key: ['n'],
  mac: true,
  columns: {
    n: bigint(),
    key: text(),
    revision: int(),
    type: text(),
    /** A put or deletion that won when it was written: it is the current state until the next winning one. */
    is_decisive: bool(),
    ...WRITTEN,
    actor: text(),
    recorded_at: text(),
    /** The position of the event, so that a read at a position is as exact. */
    position: bigint(),
  },
  indexes: {
    history_position: '(position)',
    history_of_key: '(key, n desc) where is_decisive',
  },
});
export type HistoryRow = RowOf<typeof HISTORY>;

/** The raw user id that owns a slug (SPEC I9), for reads while the log is unreachable. */
export const OWNER = foldedTable('sem.owner', {
  reads: [ownerDecider],
  key: ['slug'],
  columns: {
    slug: text(),
    raw_id: text(),
  },
  adds: ({ data: { slug, raw_id } }) => [{ slug, raw_id }],
  keepsFirst: true,
});
export type OwnerRow = RowOf<typeof OWNER>;
