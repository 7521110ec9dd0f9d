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
import { EntryColumns } from './entry-columns.js';
import {
  DEATH_BYTES,
  decodeDeath,
  decodeEntry,
  ENTRY_BYTES,
  firstOrdinalOf,
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
const SINCE_BYTES = 40;

/** Entries of a partition that were there at one position of the log, arranged for the ranking. */
export class PartitionView {
  private norms: Norms | undefined;
  private terms: LruMap<string, TermEntries> | undefined;

  /**
   * @param slotOf returns the slot of an ordinal; -1 for an entry that is not in the view
   * @param containers the code of the container of each group, in ascending order
   */
  constructor(
    readonly slots: Slots,
    readonly ordinals: Uint32Array,
    readonly slotOf: (ordinal: number) => number,
    private readonly containers: Uint32Array,
  ) {}

  /** The approximate size in memory. */
  get bytes(): number {
    const { count } = this.slots;
    const perEntry = 37 + (this.norms === undefined ? 0 : 16);
    return VIEW_BYTES + perEntry * count + 4 * this.containers.length + (this.terms?.bytes ?? 0);
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

  hasLabel(code: number): boolean {
    const { labels, hidden } = this.slots;
    for (let at = labels.indexOf(code); at >= 0; at = labels.indexOf(code, at + 1))
      if (hidden?.isHidden[at] !== 1) return true;
    return false;
  }

  /** Returns the slots of the group of a container, from the first one to before the second one. */
  groupOf(container: number): readonly [from: number, end: number] {
    const { containers, slots } = this;
    const group = placeOf(containers, container);
    if (containers[group] !== container) return [0, 0];
    return [slots.groupStarts[group]!, slots.groupStarts[group + 1]!];
  }

  /** Returns the view without some of its groups and entries, which are in another view now. */
  without(hiddenSlots: readonly number[], groups: number): PartitionView {
    const { slots } = this;
    const isHidden = new Uint8Array(slots.count);
    let totalLength = 0;
    for (const slot of hiddenSlots) {
      isHidden[slot] = 1;
      totalLength += slots.lengths[slot]!;
    }
    const hidden = { slots: hiddenSlots, isHidden, groups, totalLength };
    const slotOf = (ordinal: number): number => {
      const slot = this.slotOf(ordinal);
      return isHidden[slot] === 1 ? -1 : slot;
    };
    return new PartitionView({ ...slots, hidden }, this.ordinals, slotOf, this.containers);
  }

  private slotsOf({ count: having, ordinals, frequencies: all }: Postings): TermEntries {
    if (having === 0) return NO_ENTRIES;
    const slots = new Uint32Array(having);
    const frequencies = new Uint8Array(having);
    let count = 0;
    for (let at = 0; at < having; at += 1) {
      const slot = this.slotOf(ordinals[at]!);
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

/** Returns the place of a number in an ascending list, or the one where it would be. */
function placeOf(list: Uint32Array, wanted: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** All entries as they were when they were arranged last. */
interface Base {
  readonly view: PartitionView;
  /** The entries that appeared or ended since. */
  readonly since: Set<number>;
}

const NO_CODES: ReadonlyMap<string, number> = new Map();

/** The entries of one partition in memory, with the blocks of the index that this process has read. */
export class PartitionEntries {
  /** The number of entries. */
  count = 0;
  /** The position up to which all changes of the blocks are known. */
  changed = -1;
  private hasLabels = false;
  /** The codes of the labels that searches named; undefined for one that no entry has. */
  private labels: LruMap<string, number | undefined> | undefined;
  readonly postings = new TermPostings();
  /** The columns of all entries, by ordinal. */
  private columns = new EntryColumns(0);
  private blockChanges: number[] | undefined;
  private base: Base | undefined;
  /** The views of all entries that are there now: the base without the groups that changed, and those. */
  private latest: readonly PartitionView[] | undefined;

  /** The approximate size in memory. */
  get bytes(): number {
    const { columns, labels, postings, base, latest } = this;
    return (
      PARTITION_BYTES +
      columns.bytes +
      (labels?.bytes ?? 0) +
      postings.bytes +
      (base === undefined ? 0 : base.view.bytes + SINCE_BYTES * base.since.size) +
      (latest?.reduce((sum, view) => sum + (view === base?.view ? 0 : view.bytes), 0) ?? 0)
    );
  }

  /** Takes a block, unless a newer state of it is known. */
  put({ block, data, deaths, changed }: BlockRow): void {
    this.changed = Math.max(this.changed, changed);
    if (changed <= (this.blockChanges?.[block] ?? -1)) return;
    // A list that grows has room for many more blocks, and most partitions have one.
    if (this.blockChanges === undefined && block === 0) this.blockChanges = [changed];
    else (this.blockChanges ??= [])[block] = changed;
    this.latest = undefined;
    const first = firstOrdinalOf(block);
    const size = data.length / ENTRY_BYTES;
    const since = this.base?.since;
    for (let ordinal = this.count; ordinal < first + size; ordinal += 1) since?.add(ordinal);
    this.grow(first + size);
    const { columns } = this;
    for (let index = 0; index < size; index += 1) {
      const entry = decodeEntry(data, index);
      columns.put(first + index, entry);
      if (entry.label !== 0) this.hasLabels = true;
    }
    for (let index = 0; index < deaths.length / DEATH_BYTES; index += 1) {
      const { place, position } = decodeDeath(deaths, index);
      if (columns.end(first + place, position)) since?.add(first + place);
    }
    if (since !== undefined && since.size > this.mostSince) this.base = undefined;
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
    return this.columns.container(ordinal);
  }

  /** Returns the clock when the event of an entry was recorded, in milliseconds since 1970. */
  recordedAt(ordinal: number): number {
    return this.columns.recorded(ordinal);
  }

  /** True if a view is quickly arranged, and so is not kept. */
  get isSmall(): boolean {
    return this.count <= MAX_ARRANGED_AGAIN;
  }

  /** Returns the entries that were there at this position, of a small partition. */
  smallViewAt(position: number): PartitionView {
    return finished(this.arrangeAt(position));
  }

  /** Returns the entries that were there at this position, in one view or two. */
  *viewsAt(position: number): Slices<readonly PartitionView[]> {
    const { changed } = this;
    if (position < changed || this.isSmall) return [yield* this.arrangeAt(position)];
    if (this.latest !== undefined) return this.latest;
    const { base } = this;
    const views = base === undefined ? undefined : yield* this.split(base);
    if (views !== undefined) {
      if (this.changed === changed) this.latest = views;
      return views;
    }
    const view = yield* this.arrangeAt(position);
    if (this.changed === changed) {
      this.base = { view, since: new Set() };
      this.latest = [view];
    }
    return [view];
  }

  /** So many entries may change before all are arranged again: then neither that nor the two views cost much. */
  private get mostSince(): number {
    return Math.max(1_024, 4 * Math.sqrt(this.count));
  }

  /** Returns the base without what has changed since, and a view of that; undefined if that is much. */
  private *split({ view: base, since }: Base): Slices<readonly PartitionView[] | undefined> {
    if (since.size === 0) return [base];
    const { columns } = this;
    const fresh: number[] = [];
    const hidden: number[] = [];
    const containers = new Set<number>();
    const addIfThere = (ordinal: number): void => {
      if (columns.isThere(ordinal)) fresh.push(ordinal);
    };
    for (const ordinal of since) {
      const slot = base.slotOf(ordinal);
      if (columns.isGrouped(ordinal)) containers.add(columns.container(ordinal));
      else if (slot >= 0) hidden.push(slot);
      // An entry of the base that is in a group comes with its group.
      if (slot < 0) addIfThere(ordinal);
    }
    let groups = 0;
    for (const container of containers) {
      const [from, end] = base.groupOf(container);
      if (end > from) groups += 1;
      if (fresh.length + end - from > this.count / 2) return undefined;
      for (let slot = from; slot < end; slot += 1) {
        hidden.push(slot);
        addIfThere(base.ordinals[slot]!);
      }
    }
    yield;
    const view = yield* this.arrange(Uint32Array.from(fresh).sort());
    return [base.without(hidden, groups), view];
  }

  private grow(count: number): void {
    if (count <= this.count) return;
    this.count = count;
    this.labels = undefined;
    const { room } = this.columns;
    if (count <= room) return;
    this.columns = this.columns.withRoom(room === 0 ? count : count + (count >> 2));
  }

  private *arrangeAt(position: number): Slices<PartitionView> {
    // A pause may bring further entries and a larger buffer. Neither changes what was there at the position.
    const { count, columns } = this;
    const there = new Uint32Array(count);
    let total = 0;
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      if ((ordinal & PAUSE_BITS) === PAUSE_BITS) yield;
      if (!columns.wasThere(ordinal, position)) continue;
      there[total] = ordinal;
      total += 1;
    }
    return yield* this.arrange(there.subarray(0, total));
  }

  /** Gives each of these entries a slot: first the groups, each in log order, then the entries without a group. */
  private *arrange(ordinals: Uint32Array): Slices<PartitionView> {
    const { columns } = this;
    const total = ordinals.length;
    const sizes = new Map<number, number>();
    for (let index = 0; index < total; index += 1) {
      if ((index & PAUSE_BITS) === PAUSE_BITS) yield;
      const ordinal = ordinals[index]!;
      if (!columns.isGrouped(ordinal)) continue;
      const container = columns.container(ordinal);
      sizes.set(container, (sizes.get(container) ?? 0) + 1);
    }
    const containers = Uint32Array.from(sizes.keys()).sort();
    const groupCount = containers.length;
    const groupStarts = new Uint32Array(groupCount + 1);
    const groupOf = new Map<number, number>();
    for (let group = 0; group < groupCount; group += 1) {
      groupOf.set(containers[group]!, group);
      groupStarts[group + 1] = groupStarts[group]! + sizes.get(containers[group]!)!;
    }
    const free = Uint32Array.from(groupStarts);
    const slots = {
      count: total,
      lengths: new Uint32Array(total),
      totalLength: 0,
      groups: new Uint32Array(groupStarts[groupCount]!),
      groupStarts,
      groupCount,
      labels: new Uint32Array(total),
      flags: new Uint8Array(total),
      times: new Float64Array(total),
      hidden: undefined,
    };
    const arranged = new Uint32Array(total);
    const slotOf = newSlots(ordinals);
    for (let index = 0; index < total; index += 1) {
      if ((index & PAUSE_BITS) === PAUSE_BITS) yield;
      const ordinal = ordinals[index]!;
      const group = columns.isGrouped(ordinal)
        ? groupOf.get(columns.container(ordinal))!
        : groupCount;
      const slot = free[group]!;
      free[group] = slot + 1;
      if (group < groupCount) slots.groups[slot] = group;
      slotOf.set(ordinal, slot);
      arranged[slot] = ordinal;
      slots.lengths[slot] = columns.length(ordinal);
      slots.totalLength += columns.length(ordinal);
      slots.labels[slot] = columns.label(ordinal);
      slots.flags[slot] = columns.flags(ordinal);
      slots.times[slot] = columns.time(ordinal);
    }
    return new PartitionView(slots, arranged, slotOf.get, containers);
  }
}

/** Returns a map from ordinals to slots, for these ascending ordinals; it is a list if they are most of them. */
function newSlots(ordinals: Uint32Array) {
  const length = (ordinals.at(-1) ?? -1) + 1;
  if (length > 8 * ordinals.length) {
    const few = new Map<number, number>();
    return {
      set: (ordinal: number, slot: number): void => void few.set(ordinal, slot),
      get: (ordinal: number): number => few.get(ordinal) ?? -1,
    };
  }
  const list = new Int32Array(length).fill(-1);
  return {
    set: (ordinal: number, slot: number): void => void (list[ordinal] = slot),
    get: (ordinal: number): number => list[ordinal] ?? -1,
  };
}
