import { MEMORY_KINDS, type MemoryItem, type MemoryKind } from '../item.js';
import { keyed, noKeys, withKey, withoutKey, type KeyMap } from '../../key-map.js';
import { type StoredItem, StoredList } from './stored-list.js';

/** All items of a store, by kind, each kind in the order of its ids. */
export type HeldItems = Readonly<Record<MemoryKind, StoredList>>;

/**
 * The contents of a store during a phase: the items of all phases, and for each dedup key the last item with that
 * key, across kinds (SPEC M15). It is immutable, so a phase that has ended keeps its own ledger.
 */
export interface Ledger {
  readonly items: HeldItems;
  readonly keys: KeyMap;
  /** For each dedup key, the one semantic or profile item that has it (SPEC M9). */
  readonly holders: Readonly<Record<'semantic' | 'profile', KeyMap>>;
}

const NOTHING = new StoredList();

export const EMPTY_LEDGER: Ledger = {
  items: { short_term: NOTHING, semantic: NOTHING, profile: NOTHING },
  keys: noKeys(),
  holders: { semantic: noKeys(), profile: noKeys() },
};

/** Returns the kind that an id contains: the part before its number. */
export const kindOf = (id: string): MemoryKind => {
  const end = id.lastIndexOf(':');
  const named = id.slice(id.lastIndexOf(':', end - 1) + 1, end);
  return MEMORY_KINDS.find((kind) => kind === named) ?? 'short_term';
};

export const heldAs = ({ items }: Ledger, id: string): StoredItem | undefined =>
  items[kindOf(id)].get(id);

export const heldItem = (ledger: Ledger, id: string): MemoryItem | undefined =>
  heldAs(ledger, id)?.item;

export const itemCount = ({ items }: Ledger): number =>
  items.short_term.length + items.semantic.length + items.profile.length;

export const allItems = ({ items }: Ledger): readonly MemoryItem[] =>
  MEMORY_KINDS.flatMap((kind) => [...items[kind]].map(({ item }) => item));

/** Returns the stored item of the same kind and key, of any phase; undefined for short_term items (SPEC M9). */
export function holderOf(ledger: Ledger, { kind, meta }: MemoryItem): MemoryItem | undefined {
  if (kind === 'short_term') return undefined;
  const id = keyed(ledger.holders[kind], meta.dedup_key);
  return id === undefined ? undefined : heldItem(ledger, id);
}

const withHolder = (
  { holders }: Ledger,
  { kind }: MemoryItem,
  change: (of: KeyMap) => KeyMap,
): Ledger['holders'] =>
  kind === 'short_term' ? holders : { ...holders, [kind]: change(holders[kind]) };

export const withItem = (ledger: Ledger, stored: StoredItem): Ledger => {
  const { items, keys } = ledger;
  const { kind, id, meta } = stored.item;
  return {
    items: { ...items, [kind]: items[kind].with(stored) },
    keys: withKey(keys, meta.dedup_key, id),
    holders: withHolder(ledger, stored.item, (of) => withKey(of, meta.dedup_key, id)),
  };
};

/** Removes an item. Its key is removed only if this item was the last one with that key (SPEC M15). */
export function withoutItem(ledger: Ledger, id: string): Ledger {
  const item = heldItem(ledger, id);
  if (item === undefined) return ledger;
  const { items, keys } = ledger;
  const key = item.meta.dedup_key;
  return {
    items: { ...items, [item.kind]: items[item.kind].without(id) },
    keys: withoutKey(keys, key, id),
    holders: withHolder(ledger, item, (of) => withoutKey(of, key, id)),
  };
}
