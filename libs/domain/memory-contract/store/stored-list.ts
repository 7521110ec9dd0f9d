import { itemNumber, type MemoryItem } from '../item.js';
import type { RetentionRule } from '../policy.js';

export interface StoredItem {
  readonly item: MemoryItem;
  readonly retention: RetentionRule;
}

const BLOCK_LENGTH = 256;

/** A part of a list, with what a recall asks of all its items at once. It is worked out when it is first asked for. */
export class Block {
  #summary: BlockSummary | undefined;

  constructor(readonly items: readonly StoredItem[]) {}

  get summary(): BlockSummary {
    return (this.#summary ??= summaryOf(this.items));
  }
}

interface BlockSummary {
  /** The dedup keys of the items, one after the other. */
  readonly keys: string;
  /** The highest importance of an item. */
  readonly importance: number;
  /** The highest tick at which an item was created. */
  readonly newest: number;
  readonly phases: readonly string[];
}

const summaryOf = (items: readonly StoredItem[]): BlockSummary => ({
  keys: items.map(({ item }) => item.meta.dedup_key).join('\n'),
  importance: Math.max(...items.map(({ item }) => item.importance)),
  newest: Math.max(...items.map(({ item }) => item.created_at)),
  phases: [...new Set(items.map(({ item }) => item.meta.phase_id))],
});

/**
 * Items of one kind in the order of their ids, in blocks: a change copies one block, and a recall passes over a block that
 * has nothing for it. Immutable.
 */
export class StoredList implements Iterable<StoredItem> {
  constructor(
    readonly blocks: readonly Block[] = [],
    readonly length = 0,
  ) {}

  static of(items: readonly StoredItem[]): StoredList {
    return items.reduce((list, stored) => list.with(stored), new StoredList());
  }

  /** Returns the list with an item whose id comes after all others. */
  with(stored: StoredItem): StoredList {
    const last = this.blocks.at(-1);
    const blocks =
      last === undefined || last.items.length === BLOCK_LENGTH
        ? [...this.blocks, new Block([stored])]
        : this.blocks.with(-1, new Block([...last.items, stored]));
    return new StoredList(blocks, this.length + 1);
  }

  without(id: string): StoredList {
    const place = this.placeOf(id);
    const items = this.blocks[place]?.items ?? [];
    const at = placeIn(items, id);
    if (at < 0) return this;
    const rest = items.toSpliced(at, 1);
    const blocks =
      rest.length === 0
        ? this.blocks.toSpliced(place, 1)
        : this.blocks.with(place, new Block(rest));
    return new StoredList(blocks, this.length - 1);
  }

  get(id: string): StoredItem | undefined {
    const items = this.blocks[this.placeOf(id)]?.items ?? [];
    return items[placeIn(items, id)];
  }

  *[Symbol.iterator](): Iterator<StoredItem> {
    for (const { items } of this.blocks) yield* items;
  }

  /** Returns the place of the block that has the item, if the list has it. */
  private placeOf(id: string): number {
    const wanted = itemNumber(id);
    return lastPlace(this.blocks, ({ items }) => itemNumber(items[0]!.item.id) <= wanted);
  }
}

function placeIn(items: readonly StoredItem[], id: string): number {
  const wanted = itemNumber(id);
  const place = lastPlace(items, ({ item }) => itemNumber(item.id) <= wanted);
  return items[place]?.item.id === id ? place : -1;
}

/** Returns the place of the last entry that fulfils a condition, which is true up to it and false after it; -1 if none does. */
function lastPlace<Entry>(entries: readonly Entry[], holds: (entry: Entry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle] as Entry)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
