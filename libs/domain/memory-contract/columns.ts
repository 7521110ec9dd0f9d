import type { MemoryItem } from './item.js';

/** A list of semantic items, as a ledger stores them: oldest first. */
type Items = readonly { readonly item: MemoryItem }[];

/**
 * What a recall asks of every semantic item of a store, side by side. A store may hold many thousands, which
 * lie apart in memory: to look at each of them there takes longer than all else that a recall does. Only ever
 * added to: a list that was made before keeps to its own length.
 */
export interface Columns {
  readonly items: MemoryItem[];
  readonly created_at: number[];
  readonly importance: number[];
  /** Places in `phases`. */
  readonly phase: number[];
  readonly phases: string[];
  /** Where each item's normal text begins in `texts`; a line feed ends it. */
  readonly starts: number[];
  texts: string;
}

const known = new WeakMap<Items, Columns>();

/** The columns of a list of semantic items: its own are the first of each. */
export function columnsOf(items: Items): Columns {
  const made = known.get(items);
  if (made !== undefined) return made;
  const columns: Columns = {
    ...{ items: [], created_at: [], importance: [], phase: [], phases: [], starts: [] },
    texts: '',
  };
  for (const stored of items) add(columns, stored);
  known.set(items, columns);
  return columns;
}

/**
 * A list with one item more goes on with the columns of the one that it was made of, if that has any. The same
 * event is folded when it is decided and when it is appended, so what comes next may be there already.
 */
export function lengthen(from: Items, to: Items): void {
  const columns = known.get(from);
  const stored = to[from.length];
  // The empty list begins every store.
  if (columns === undefined || stored === undefined || from.length === 0) return;
  const { items } = columns;
  if (items.length === from.length) add(columns, stored);
  else if (items[from.length] !== stored.item) return;
  known.set(to, columns);
}

/** An item's normal text: the rest of its dedup key (SPEC M6). */
export function normalTextAt({ starts, texts }: Columns, place: number): string {
  const start = starts[place] as number;
  return texts.slice(start, texts.indexOf('\n', start));
}

function add(columns: Columns, { item }: Items[number]): void {
  const { phases } = columns;
  const { phase_id, dedup_key } = item.meta;
  columns.items.push(item);
  columns.created_at.push(item.created_at);
  columns.importance.push(item.importance);
  const phase = phases.lastIndexOf(phase_id);
  columns.phase.push(phase < 0 ? phases.push(phase_id) - 1 : phase);
  columns.starts.push(columns.texts.length);
  columns.texts += `${dedup_key.slice(dedup_key.indexOf(':') + 1)}\n`;
}
