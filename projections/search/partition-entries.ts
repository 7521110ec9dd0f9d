import {
  groupsOf,
  type Norms,
  normsOf,
  type Slots,
  type TermEntries,
} from '#domain/search/scoring.js';
import type { Ranking } from '#domain/search/rankings.js';
import {
  blockOf,
  DEATH_BYTES,
  decodeDeath,
  decodeEntry,
  ENTRY_BYTES,
  firstOrdinalOf,
  IN_GROUP,
} from './index-codec.js';
import { type Postings, TermPostings } from './term-postings.js';

/** The maximum number of postings that a view keeps. */
const MAX_POSTINGS = 1_000_000;
/** The maximum number of labels whose codes a partition remembers. */
const MAX_LABELS = 10_000;

/** The entries of a partition that were there at one position of the log, arranged for the ranking. */
export class PartitionView {
  private norms: Norms | undefined;
  private readonly terms = new Map<string, TermEntries>();
  private kept = 0;

  constructor(
    readonly slots: Slots,
    /** The slot of each ordinal; -1 for an entry that was not there. */
    readonly slotOf: Int32Array,
    readonly ordinals: Uint32Array,
  ) {}

  /** Returns the visible entries with a term, and keeps them: every read of its postings gives the same ones. */
  entriesWith(term: string, postings: Postings): TermEntries {
    const known = this.terms.get(term);
    if (known !== undefined) return known;
    const entries = this.slotsOf(postings);
    this.kept += entries.slots.length;
    if (this.kept > MAX_POSTINGS) {
      this.terms.clear();
      this.kept = entries.slots.length;
    }
    this.terms.set(term, entries);
    return entries;
  }

  private slotsOf({ count: having, ordinals, frequencies: all }: Postings): TermEntries {
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
  normsFor(ranking: Ranking, average: number): Norms {
    if (this.norms?.ranking !== ranking || this.norms.average !== average)
      this.norms = normsOf(this.slots, ranking, average);
    return this.norms;
  }
}

/** A row of the `block` table. */
export interface BlockRow {
  readonly block: number;
  readonly data: Buffer;
  readonly deaths: Buffer;
  readonly changed: number;
}

/** The columns of the entries, by ordinal. */
interface Columns {
  readonly lengths: Uint32Array;
  readonly containers: Uint32Array;
  readonly labels: Uint32Array;
  readonly flags: Uint8Array;
  readonly times: Float64Array;
  readonly appeared: Float64Array;
  readonly died: Float64Array;
}

const newColumns = (size: number): Columns => ({
  lengths: new Uint32Array(size),
  containers: new Uint32Array(size),
  labels: new Uint32Array(size),
  flags: new Uint8Array(size),
  times: new Float64Array(size),
  appeared: new Float64Array(size),
  died: new Float64Array(size),
});

/** The entries of one partition in memory, with the blocks of the index that this process has read. */
export class PartitionEntries {
  /** The number of entries. */
  count = 0;
  /** The position of the last event that changed one of the blocks. */
  changed = -1;
  private hasLabels = false;
  /** The codes of the labels that searches named; undefined for one that no entry has. */
  private readonly labels = new Map<string, number | undefined>();
  readonly postings = new TermPostings();
  private columns = newColumns(0);
  private readonly blockChanges: number[] = [];
  private latest: PartitionView | undefined;

  /** Takes a block, unless a newer state of it is known. */
  put({ block, data, deaths, changed }: BlockRow): void {
    if (changed <= (this.blockChanges[block] ?? -1)) return;
    this.blockChanges[block] = changed;
    this.changed = Math.max(this.changed, changed);
    this.latest = undefined;
    const first = firstOrdinalOf(block);
    const size = data.length / ENTRY_BYTES;
    this.grow(first + size);
    const { columns } = this;
    for (let index = 0; index < size; index += 1) {
      const entry = decodeEntry(data, index);
      const ordinal = first + index;
      columns.lengths[ordinal] = entry.length;
      columns.containers[ordinal] = entry.container;
      columns.labels[ordinal] = entry.label;
      if (entry.label !== 0) this.hasLabels = true;
      columns.flags[ordinal] = entry.flags;
      columns.times[ordinal] = entry.time;
      columns.appeared[ordinal] = entry.appeared;
      columns.died[ordinal] = Infinity;
    }
    for (let index = 0; index < deaths.length / DEATH_BYTES; index += 1) {
      const { place, position } = decodeDeath(deaths, index);
      columns.died[first + place] = position;
    }
  }

  /** True if an entry has a label, or none is known yet. */
  get mayHaveLabels(): boolean {
    return this.hasLabels || this.count === 0;
  }

  /** Returns the codes of those labels that an entry has; undefined if the code of one is not remembered. */
  codesOf(labels: readonly string[]): ReadonlyMap<string, number> | undefined {
    const codes = new Map<string, number>();
    if (!this.mayHaveLabels) return codes;
    for (const label of labels) {
      if (!this.labels.has(label)) return undefined;
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
    if (entries !== this.count) return;
    if (this.labels.size + labels.length > MAX_LABELS) this.labels.clear();
    for (const label of labels) this.labels.set(label, codes.get(label));
  }

  containerOf(ordinal: number): number {
    return this.columns.containers[ordinal]!;
  }

  /** Returns the entries that were there at this position. */
  viewAt(position: number): PartitionView {
    if (position < this.changed) return this.arrange(position);
    return (this.latest ??= this.arrange(position));
  }

  private grow(count: number): void {
    if (count <= this.count) return;
    const before = this.columns;
    this.count = count;
    this.labels.clear();
    if (count <= before.lengths.length) return;
    this.columns = newColumns(
      Math.max(64, firstOrdinalOf(blockOf(count) + 1), count + (count >> 1)),
    );
    for (const name of Object.keys(before) as (keyof Columns)[])
      this.columns[name].set(before[name]);
  }

  /** Gives each entry that was there a slot: first the groups, each in log order, then the entries without a group. */
  private arrange(position: number): PartitionView {
    const { count, columns } = this;
    const { lengths, containers, labels, flags, times, appeared, died } = columns;
    const isThere = (ordinal: number): boolean =>
      appeared[ordinal]! <= position && died[ordinal]! > position;
    // The size of each container, then its group, by the ordinal of the container's first entry.
    const sizes = new Uint32Array(count);
    let total = 0;
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      if (!isThere(ordinal)) continue;
      total += 1;
      if ((flags[ordinal]! & IN_GROUP) !== 0) sizes[containers[ordinal]! - 1]! += 1;
    }
    const groupOf = new Int32Array(count);
    const starts: number[] = [];
    let next = 0;
    for (let first = 0; first < count; first += 1) {
      if (sizes[first] === 0) continue;
      groupOf[first] = starts.length;
      starts.push(next);
      next += sizes[first]!;
    }
    const groupCount = starts.length;
    const groupStarts = Uint32Array.from([...starts, next]);
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
      if (!isThere(ordinal)) {
        slotOf[ordinal] = -1;
        continue;
      }
      const isGrouped = (flags[ordinal]! & IN_GROUP) !== 0;
      const group = isGrouped ? groupOf[containers[ordinal]! - 1]! : groupCount;
      const slot = free[group]!;
      free[group] = slot + 1;
      if (isGrouped) slots.groups[slot] = group;
      slotOf[ordinal] = slot;
      ordinals[slot] = ordinal;
      slots.lengths[slot] = lengths[ordinal]!;
      slots.totalLength += lengths[ordinal]!;
      slots.labels[slot] = labels[ordinal]!;
      slots.flags[slot] = flags[ordinal]!;
      slots.times[slot] = times[ordinal]!;
    }
    return new PartitionView(slots, slotOf, ordinals);
  }
}
