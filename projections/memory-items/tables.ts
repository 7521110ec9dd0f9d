import type { Space } from '#domain/memory-contract/item.js';
import { bigint, int, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row per store of the Memory Contract: memory-<space>:<owner> (SPEC M1). */
export const STORE = readTable('memory_items.store', {
  key: ['stream'],
  columns: {
    stream: text(),
    space: text<Space>(),
    owner: text(),
    /** The last tick of an item or a phase. */
    tick: bigint(),
    /** The number of the last projected event of the stream. */
    revision: int(),
  },
});
/** A row of the table `store`. */
export type StoreRow = RowOf<typeof STORE>;

export const ITEM = readTable('memory_items.item', {
  key: ['id'],
  columns: {
    id: text(),
    stream: text(),
    kind: text(),
    created_at: bigint(),
    dedup_key: text(),
    /** The id of the previous summary; '' for the first summary of its phase; null for other items. */
    summary_after: orNull(text()),
    /** Canonical JSON of the item, and of the retention rule at its storage (SPEC M10). */
    item: text(),
    retention: text(),
    /** The numbers of the events that stored and deleted the item, which give the ledger of any phase (SPEC M15). */
    stored_number: int(),
    deleted_number: orNull(int()),
    deleted_reason: orNull(text()),
    replaced_by: orNull(text()),
  },
  indexes: {
    item_by_stream: '(stream, stored_number)',
    summary_by_stream: '(stream) where summary_after is not null',
  },
});
/** A row of the table `item`. */
export type ItemRow = RowOf<typeof ITEM>;

export const PHASE = readTable('memory_items.phase', {
  key: ['stream', 'phase_index'],
  columns: {
    stream: text(),
    phase_index: int(),
    phase_id: text(),
    started_at: bigint(),
    reason: text(),
    name: orNull(text()),
    /** The number of the event that started the phase. */
    number: int(),
  },
});
/** A row of the table `phase`. */
export type PhaseStart = RowOf<typeof PHASE>;

/** Each policy once, under the hash that events refer to (SPEC M7). */
export const POLICY = readTable('memory_items.policy', {
  key: ['policy_hash'],
  columns: {
    policy_hash: text(),
    policy: text(),
  },
});
/** A row of the table `policy`. */
export type PolicyRow = RowOf<typeof POLICY>;
