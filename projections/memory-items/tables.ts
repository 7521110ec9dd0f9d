import type { Space } from '#domain/memory-contract/item.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `store` table. */
export interface StoreRow {
  readonly stream: string;
  readonly space: Space;
  readonly owner: string;
  readonly tick: string | number;
  /** The number of the last projected event of the stream. */
  readonly revision: number;
}

/** A row of the `item` table. */
export interface ItemRow {
  readonly id: string;
  readonly stream: string;
  readonly kind: string;
  readonly created_at: string | number;
  readonly dedup_key: string;
  /** The id of the previous summary; '' for the first summary of its phase; null for other items. */
  readonly summary_after: string | null;
  readonly item: string;
  readonly retention: string;
  readonly stored_number: number;
  readonly deleted_number: number | null;
  readonly deleted_reason: string | null;
  readonly replaced_by: string | null;
}

/** A row of the `phase` table. */
export interface PhaseStart {
  readonly stream: string;
  readonly phase_index: number;
  readonly phase_id: string;
  readonly started_at: string | number;
  readonly reason: string;
  readonly name: string | null;
  /** The number of the event that started the phase. */
  readonly number: number;
}

/** A row of the `policy` table. */
export interface PolicyRow {
  readonly policy_hash: string;
  readonly policy: string;
}

export const STORE = new SealedTable<StoreRow>('memory_items.store', ['stream'], {
  stream: 'plain',
  space: 'plain',
  owner: 'plain',
  tick: 'bigint',
  revision: 'plain',
});

export const ITEM = new SealedTable<ItemRow>('memory_items.item', ['id'], {
  id: 'plain',
  stream: 'plain',
  kind: 'plain',
  created_at: 'bigint',
  dedup_key: 'plain',
  summary_after: 'plain',
  item: 'plain',
  retention: 'plain',
  stored_number: 'plain',
  deleted_number: 'plain',
  deleted_reason: 'plain',
  replaced_by: 'plain',
});

export const PHASE = new SealedTable<PhaseStart>('memory_items.phase', ['stream', 'phase_index'], {
  stream: 'plain',
  phase_index: 'plain',
  phase_id: 'plain',
  started_at: 'bigint',
  reason: 'plain',
  name: 'plain',
  number: 'plain',
});

export const POLICY = new SealedTable<PolicyRow>('memory_items.policy', ['policy_hash'], {
  policy_hash: 'plain',
  policy: 'plain',
});
