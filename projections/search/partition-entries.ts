import { finished, type Slices } from '#domain/slices.js';
import { LruMap, stringBytes } from '#bounded/lru-map.js';
import {
  groupsOf,
  type Norms,
  normsOf,
  PAUSE_BITS,
  type Slots,
  type TermEntries,
} from '#domain/search/scoring.js';
import type { Ranking } from '#domain/search/rankings.js';
import {
  DEATH_BYTES,
  decodeDeath,
  decodeEntry,
  ENTRY_BYTES,
  firstOrdinalOf,
  IN_GROUP,
} from './index-codec.js';
import { newTermMap, type Postings, TermPostings } from './term-postings.js';

/** What bounds the labels whose codes a partition remembers. */
const KEPT_LABELS = {
  maxBytes: 2 * 1024 * 1024,
  bytesOf: (_code: unknown, label: string): number => stringBytes(label),
};
/** A view of at most so many entries is arranged again for each use, because keeping it takes more than its entries. */
const MAX_ARRANGED_AGAIN = 64;
/** The approximate size in bytes of a partition and of a view without their columns. */
const PARTITION_BYTES = 500;
const VIEW_BYTES = 3_000;

/** The entries of a partition that were there at one position of the log, arranged for the ranking. */
export class PartitionView {
  private norms: Norms | undefined;
  private terms: LruMap<string, TermEntries> | undefined;

  constructor(
    readonly slots: Slots,
    /** The slot of each ordinal; -1 for an entry that was not there. */
    readonly slotOf: Int32Array,
    readonly ordinals: Uint32Array,
  ) {}

  /** The approximate size in memory. */
  get bytes(): number {
    const { count } = this.slots;
    const perEntry = 33 + (this.norms === undefined ? 0 : 16);
    return VIEW_BYTES + perEntry * count + 4 * this.slotOf.length + (this.terms?.bytes ?? 0);
  }

  /** Returns the visible entries with a term, and keeps them: every read of its postings gives the same ones. */
  entriesWith(term: string, postings: Postings): TermEntries {
    const known = this.terms?.get(term);
    if (known !== undefined) return known;
    const entries = this.slotsOf(postings);
    this.terms ??= newTermMap(({ slots }) => slots.length);
    this.terms.set(term, entries);
    return entries;
  }

  private slotsOf({ count: having, ordinals, frequencies: all }: Postings): TermEntries {
    if (having === 0) return NO_ENTRIES;
    const slots = new Uint32Array(having);
    const frequencies = new Uint8Array(having);
    let count = 0;
    for (let at = 0; at < having; at += 1) {
      const slot = this.slotOf[ordinals[at]!] ?? -1;
      if (slot < 0) continue;
      slots[count] = slot;
      frequencies[count] = all[at]!;
      count += 1;
    }
    return { count, slots, frequencies, groups: groupsOf(this.slots, slots, count) };
  }

  /** Returns the norms of the entries, which are kept for the next query with the same statistics. */
  *normsFor(ranking: Ranking, average: number): Slices<Norms> {
    if (this.norms?.ranking === ranking && this.norms.average === average) return this.norms;
    return (this.norms = yield* normsOf(this.slots, ranking, average));
  }
}

const NO_ENTRIES: TermEntries = {
  count: 0,
  slots: new Uint32Array(0),
  frequencies: new Uint8Array(0),
  groups: 0,
};

export interface BlockRow {
  readonly block: number;
  readonly data: Buffer;
  readonly deaths: Buffer;
  readonly changed: number;
}

const [TIME, APPEARED, DIED, LENGTH, CONTAINER, LABEL, FLAGS] = [0, 1, 2, 3, 4, 5, 6];
const COLUMNS = 7;
const COLUMN_BYTES = 8;
/** The numbers of so many entries are kept in a list: most partitions have few, and a typed array costs more than they. */
const MAX_LISTED = 64;

/** Returns room for the columns of so many entries. All numbers are infinite, as the position where a living entry ended. */
const newColumns = (entries: number): number[] | Float64Array =>
  (entries <= MAX_LISTED
    ? new Array<number>(entries * COLUMNS)
    : new Float64Array(entries * COLUMNS)
  ).fill(Infinity);

const NO_CODES: ReadonlyMap<string, number> = new Map();

/** The entries of one partition in memory, with the blocks of the index that this process has read. */
export class PartitionEntries {
  /** The number of entries. */
  count = 0;
  /** The position of the last event that changed one of the blocks. */
  changed = -1;
  private hasLabels = false;
  /** The codes of the labels that searches named; undefined for one that no entry has. */
  private labels: LruMap<string, number | undefined> | undefined;
  readonly postings = new TermPostings();
  /** The columns of all entries, by ordinal. */
  private columns = newColumns(0);
  private blockChanges: number[] | undefined;
  private latest: PartitionView | undefined;

  /** The approximate size in memory. */
  get bytes(): number {
    const { columns, labels, postings, latest } = this;
    return (
      PARTITION_BYTES +
      columns.length * COLUMN_BYTES +
      (labels?.bytes ?? 0) +
      postings.bytes +
      (latest?.bytes ?? 0)
    );
  }

  /** Takes a block, unless a newer state of it is known. */
  put({ block, data, deaths, changed }: BlockRow): void {
    if (changed <= (this.blockChanges?.[block] ?? -1)) return;
    // A list that grows has room for many more blocks, and most partitions have one.
    if (this.blockChanges === undefined && block === 0) this.blockChanges = [changed];
    else (this.blockChanges ??= [])[block] = changed;
    this.changed = Math.max(this.changed, changed);
    this.latest = undefined;
    const first = firstOrdinalOf(block);
    const size = data.length / ENTRY_BYTES;
    this.grow(first + size);
    const { columns } = this;
    for (let index = 0; index < size; index += 1) {
      const entry = decodeEntry(data, index);
      const at = (first + index) * COLUMNS;
      columns[at + TIME] = entry.time;
      columns[at + APPEARED] = entry.appeared;
      columns[at + DIED] = Infinity;
      columns[at + LENGTH] = entry.length;
      columns[at + CONTAINER] = entry.container;
      columns[at + LABEL] = entry.label;
      columns[at + FLAGS] = entry.flags;
      if (entry.label !== 0) this.hasLabels = true;
    }
    for (let index = 0; index < deaths.length / DEATH_BYTES; index += 1) {
      const { place, position } = decodeDeath(deaths, index);
      columns[(first + place) * COLUMNS + DIED] = position;
    }
  }

  /** True if an entry has a label, or none is known yet. */
  get mayHaveLabels(): boolean {
    return this.hasLabels || this.count === 0;
  }

  /** Returns the codes of those labels that an entry has; undefined if the code of one is not remembered. */
  codesOf(labels: readonly string[]): ReadonlyMap<string, number> | undefined {
    if (!this.mayHaveLabels || labels.length === 0) return NO_CODES;
    const codes = new Map<string, number>();
    for (const label of labels) {
      if (this.labels?.has(label) !== true) return undefined;
      const code = this.labels.get(label);
      if (code !== undefined) codes.set(label, code);
    }
    return codes;
  }

  /** Remembers what a search read about labels when the partition had this number of entries. */
  rememberLabels(
    labels: readonly string[],
    codes: ReadonlyMap<string, number>,
    entries: number,
  ): void {
    if (entries !== this.count || labels.length === 0 || !this.hasLabels) return;
    this.labels ??= new LruMap<string, number | undefined>(KEPT_LABELS);
    for (const label of labels) this.labels.set(label, codes.get(label));
  }

  containerOf(ordinal: number): number {
    return this.columns[ordinal * COLUMNS + CONTAINER]!;
  }

  /** True if a view is quickly arranged, and so is not kept. */
  get isSmall(): boolean {
    return this.count <= MAX_ARRANGED_AGAIN;
  }

  /** Returns the entries that were there at this position, of a small partition. */
  smallViewAt(position: number): PartitionView {
    return finished(this.arrange(position));
  }

  /** Returns the entries that were there at this position. */
  *viewAt(position: number): Slices<PartitionView> {
    const { changed } = this;
    if (position < changed) return yield* this.arrange(position);
    if (this.latest !== undefined) return this.latest;
    const view = yield* this.arrange(position);
    if (this.changed === changed && !this.isSmall) this.latest = view;
    return view;
  }

  private grow(count: number): void {
    if (count <= this.count) return;
    const before = this.columns;
    this.count = count;
    this.labels = undefined;
    const size = before.length / COLUMNS;
    if (count <= size) return;
    this.columns = newColumns(size === 0 ? count : count + (count >> 1));
    for (let at = 0; at < before.length; at += 1) this.columns[at] = before[at]!;
  }

  /** Gives each entry that was there a slot: first the groups, each in log order, then the entries without a group. */
  private *arrange(position: number): Slices<PartitionView> {
    // A pause may bring further entries and a larger buffer. Neither changes what was there at the position.
    const { count, columns } = this;
    const isThere = (ordinal: number): boolean =>
      columns[ordinal * COLUMNS + APPEARED]! <= position &&
      columns[ordinal * COLUMNS + DIED]! > position;
    // The size of each container, then its group, by the ordinal of the container's first entry.
    const sizes = new Uint32Array(count);
    let total = 0;
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      if ((ordinal & PAUSE_BITS) === PAUSE_BITS) yield;
      if (!isThere(ordinal)) continue;
      total += 1;
      const at = ordinal * COLUMNS;
      if ((columns[at + FLAGS]! & IN_GROUP) !== 0) sizes[columns[at + CONTAINER]! - 1]! += 1;
    }
    const groupOf = new Int32Array(count);
    const starts: number[] = [];
    let next = 0;
    for (let first = 0; first < count; first += 1) {
      if ((first & PAUSE_BITS) === PAUSE_BITS) yield;
      if (sizes[first] === 0) continue;
      groupOf[first] = starts.length;
      starts.push(next);
      next += sizes[first]!;
    }
    const groupCount = starts.length;
    starts.push(next);
    const groupStarts = Uint32Array.from(starts);
    const free = Uint32Array.from(groupStarts);
    const slots = {
      count: total,
      lengths: new Uint32Array(total),
      totalLength: 0,
      groups: new Uint32Array(next),
      groupStarts,
      groupCount,
      labels: new Uint32Array(total),
      flags: new Uint8Array(total),
      times: new Float64Array(total),
    };
    const slotOf = new Int32Array(count);
    const ordinals = new Uint32Array(total);
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      if ((ordinal & PAUSE_BITS) === PAUSE_BITS) yield;
      if (!isThere(ordinal)) {
        slotOf[ordinal] = -1;
        continue;
      }
      const at = ordinal * COLUMNS;
      const isGrouped = (columns[at + FLAGS]! & IN_GROUP) !== 0;
      const group = isGrouped ? groupOf[columns[at + CONTAINER]! - 1]! : groupCount;
      const slot = free[group]!;
      free[group] = slot + 1;
      if (isGrouped) slots.groups[slot] = group;
      slotOf[ordinal] = slot;
      ordinals[slot] = ordinal;
      slots.lengths[slot] = columns[at + LENGTH]!;
      slots.totalLength += columns[at + LENGTH]!;
      slots.labels[slot] = columns[at + LABEL]!;
      slots.flags[slot] = columns[at + FLAGS]!;
      slots.times[slot] = columns[at + TIME]!;
    }
    return new PartitionView(slots, slotOf, ordinals);
  }
}
