import { itemNumber, MEMORY_KINDS, type MemoryItem, type MemoryKind } from './item.js';
import { NO_KEYS, withKey, withoutKey, type KeyMap } from './key-map.js';
import type { RetentionRule } from './policy.js';

/** An item, and the rule that it was stored under (SPEC M10). */
export interface StoredItem {
  readonly item: MemoryItem;
  readonly retention: RetentionRule;
}

/** Everything that a store holds, by kind, each in the order of its ids. */
export type HeldItems = Readonly<Record<MemoryKind, readonly StoredItem[]>>;

/**
 * What is stored while a phase is current: every item, of whatever phase, and for each dedup key the item
 * that was added last under it, across kinds (SPEC M15). Immutable: a phase that ended keeps its own.
 */
export interface Ledger {
  readonly items: HeldItems;
  readonly keys: KeyMap;
}

export const EMPTY_LEDGER: Ledger = {
  items: { short_term: [], semantic: [], profile: [] },
  keys: NO_KEYS,
};

function indexOf(items: readonly StoredItem[], id: string): number {
  const wanted = itemNumber(id);
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { item } = items[middle] as StoredItem;
    const number = itemNumber(item.id);
    if (number === wanted) return item.id === id ? middle : -1;
    if (number < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The kind that an id names: what stands before its number. */
export const kindOf = (id: string): MemoryKind => {
  const parts = id.split(':');
  return MEMORY_KINDS.find((kind) => kind === parts.at(-2)) ?? 'short_term';
};

export function heldAs({ items }: Ledger, id: string): StoredItem | undefined {
  const list = items[kindOf(id)];
  return list[indexOf(list, id)];
}

export const heldItem = (ledger: Ledger, id: string): MemoryItem | undefined =>
  heldAs(ledger, id)?.item;

export const allItems = ({ items }: Ledger): readonly MemoryItem[] =>
  MEMORY_KINDS.flatMap((kind) => items[kind].map(({ item }) => item));

export const withItem = ({ items, keys }: Ledger, stored: StoredItem): Ledger => {
  const { kind, id, meta } = stored.item;
  return {
    items: { ...items, [kind]: [...items[kind], stored] },
    keys: withKey(keys, meta.dedup_key, id),
  };
};

/** A deleted item takes its key out of the map only if it was the one added last under it (SPEC M15). */
export function withoutItem(ledger: Ledger, id: string): Ledger {
  const item = heldItem(ledger, id);
  if (item === undefined) return ledger;
  const { items, keys } = ledger;
  const list = items[item.kind];
  return {
    items: { ...items, [item.kind]: list.toSpliced(indexOf(list, id), 1) },
    keys: withoutKey(keys, item.meta.dedup_key, id),
  };
}
