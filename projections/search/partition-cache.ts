import { PartitionEntries } from './partition-entries.js';

/** The maximum number of entries and of postings in memory, about 250 MB and 100 MB. */
const MAX_ENTRIES = 4_000_000;
const MAX_POSTINGS = 20_000_000;

interface Cached {
  readonly entries: PartitionEntries;
  /** The numbers of entries and postings that are counted in the totals. */
  counted: { readonly entries: number; readonly postings: number };
}

/**
 * The partitions that this process has read. A query reads only the blocks that have changed since. A rebuild makes new
 * tables, so they are read anew.
 */
export class PartitionCache {
  /** The partition that was used last comes last. */
  private readonly partitions = new Map<number, Cached>();
  private entries = 0;
  private postings = 0;

  /** @param table the oid of the tables; undefined until one is read. */
  constructor(readonly table?: string) {}

  /** Returns a partition, which is empty if nothing of it is known. */
  use(partition: number): PartitionEntries {
    const cached = this.partitions.get(partition) ?? {
      entries: new PartitionEntries(),
      counted: { entries: 0, postings: 0 },
    };
    this.partitions.delete(partition);
    this.partitions.set(partition, cached);
    return cached.entries;
  }

  /** Returns a partition that was read before; undefined if it is not in memory. */
  known(partition: number): PartitionEntries | undefined {
    return this.partitions.get(partition)?.entries;
  }

  /** Counts what was added to partitions, and drops those that were not used for longest if there is too much. */
  trim(used: ReadonlySet<number>): void {
    for (const id of used) {
      const cached = this.partitions.get(id);
      if (cached === undefined) continue;
      const { entries, counted } = cached;
      cached.counted = { entries: entries.count, postings: entries.postings.size };
      this.count(counted, cached.counted);
    }
    for (const [id, { counted }] of this.partitions) {
      if (this.entries <= MAX_ENTRIES && this.postings <= MAX_POSTINGS) return;
      if (used.has(id)) continue;
      this.partitions.delete(id);
      this.count(counted, { entries: 0, postings: 0 });
    }
  }

  private count(before: Cached['counted'], after: Cached['counted']): void {
    this.entries += after.entries - before.entries;
    this.postings += after.postings - before.postings;
  }
}
