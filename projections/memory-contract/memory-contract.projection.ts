import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { ItemStored, MemoryEvent } from '#domain/memory-contract/events.js';
import type { Space } from '#domain/memory-contract/item.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { storeOfStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { bigint, int, orNull, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { Projector } from '#read-model/projector.decorator.js';

const STORE_COLUMNS = {
  stream: text(),
  space: text<Space>(),
  owner: text(),
  /** The last tick of an item or a phase. */
  tick: bigint(),
  /** The number of the last projected event of the stream. */
  revision: int(),
};
export type StoreRow = RowWith<typeof STORE_COLUMNS>;

/** One row per store of the Memory Contract: memory-<space>:<owner> (SPEC M1). */
export const STORE = foldedTable('memory_items.store', {
  reads: [memoryDecider],
  key: ['stream'],
  columns: STORE_COLUMNS,
  at: ({ stream }) => [{ stream }],
  row: (before, event) => ({
    ...{ stream: event.stream, ...storeOfStream(event.stream) },
    tick: String(Math.max(Number(before?.tick ?? 0), tickOf(event))),
    revision: event.number,
  }),
});

const SESSION_COLUMNS = {
  stream: text(),
  /** The name of the user's store, folded. A session without a user has its own name here (SPEC M2). */
  user_name: text(),
  owner: text(),
  assistant: text(),
  /** The position of the first request for the user: the order of lists, and their cursor. */
  position: bigint(),
  began_at: text(),
};
export type SessionRow = RowWith<typeof SESSION_COLUMNS>;

/** One row per session and user for whom an assistant used it. */
export const SESSION = foldedTable('memory_items.session', {
  reads: [memoryDecider],
  types: ['interaction_recorded', 'recall_asked'],
  key: ['stream', 'user_name'],
  columns: SESSION_COLUMNS,
  indexes: { session_by_user: '(user_name, position)' },
  adds: ({ stream, position, metadata, data: { owners, assistant } }) => [
    {
      stream,
      user_name: foldUserId(owners.user),
      owner: owners.session,
      assistant,
      position: position.toString(),
      began_at: metadata.recorded_at,
    },
  ],
  keepsFirst: true,
});

const ITEM_COLUMNS = {
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
  /**
   * The numbers of the events that stored and deleted the item. A query computes the ledger of any phase from them
   * (SPEC M15).
   */
  stored_number: int(),
  deleted_number: orNull(int()),
  deleted_reason: orNull(text()),
  replaced_by: orNull(text()),
};
export type ItemRow = RowWith<typeof ITEM_COLUMNS>;

export const ITEM = foldedTable('memory_items.item', {
  reads: [memoryDecider],
  types: ['item_stored', 'memory_deleted'],
  key: ['id'],
  columns: ITEM_COLUMNS,
  indexes: {
    item_by_stream: '(stream, stored_number)',
    summary_by_stream: '(stream) where summary_after is not null',
  },
  at: ({ type, data }) => [{ id: type === 'item_stored' ? data.item.id : data.memory_id }],
  row: (before, event) => {
    if (event.type === 'item_stored') return itemRow(event, event.data);
    if (before === undefined || before.deleted_number !== null) return before;
    const { reason: deleted_reason, replaced_by = null } = event.data;
    return { ...before, deleted_number: event.number, deleted_reason, replaced_by };
  },
});

const POLICY_COLUMNS = {
  policy_hash: text(),
  policy: text(),
};
export type PolicyRow = RowWith<typeof POLICY_COLUMNS>;

/** Each policy once, under the hash that events refer to (SPEC M7). */
export const POLICY = foldedTable('memory_items.policy', {
  reads: [memoryDecider],
  types: ['interaction_recorded', 'recall_asked', 'promotion_received', 'retention_applied'],
  key: ['policy_hash'],
  columns: POLICY_COLUMNS,
  adds: ({ data: { policy_hash, policy } }) =>
    policy === undefined ? [] : [{ policy_hash, policy: canonicalJson(policy) }],
  keepsFirst: true,
});

/**
 * The stores of the Memory Contract: sessions, items and policies (SPEC §11). Phases and decisions are not projected: readers take
 * them from the log, where they are in order.
 */
@Projector({ name: 'memory_items', version: 6, tables: [STORE, SESSION, ITEM, POLICY] })
export class MemoryItemsProjection {}

/** Returns the tick that an event used; 0 if it used none (SPEC M1). */
export function tickOf(event: MemoryEvent): number {
  switch (event.type) {
    case 'item_stored':
      return event.data.item.created_at;
    case 'promotion_settled':
      return event.data.created_at;
    case 'memory_border_check':
      return event.data.created_at ?? 0;
    case 'memory_phase_started':
      return event.data.started_at;
    default:
      return 0;
  }
}

const itemRow = ({ stream, number }: LoggedEvent, { item, retention }: ItemStored): ItemRow => ({
  id: item.id,
  stream,
  kind: item.kind,
  created_at: String(item.created_at),
  dedup_key: item.meta.dedup_key,
  summary_after: item.meta.summary_of === undefined ? null : (item.meta.summary_after ?? ''),
  item: canonicalJson(item),
  retention: canonicalJson(retention),
  stored_number: number,
  deleted_number: null,
  deleted_reason: null,
  replaced_by: null,
});
