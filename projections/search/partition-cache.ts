import { type BlockRow, PartitionEntries } from './partition-entries.js';

/** The maximum number of entries in memory, about 250 MB. */
const MAX_ENTRIES = 4_000_000;

/**
 * The partitions that this process has read. A query reads only the blocks that have changed since. A rebuild makes new
 * tables, so they are read anew.
 */
export class PartitionCache {
  /** The partition that was used last comes last. */
  private readonly partitions = new Map<number, PartitionEntries>();
  private entries = 0;

  /** @param table the oid of the tables; undefined until one is read. */
  constructor(readonly table?: string) {}

  put(partition: number, row: BlockRow): void {
    const known = this.use(partition);
    const before = known.count;
    known.put(row);
    this.entries += known.count - before;
  }

  /** Returns a partition, which is empty if nothing of it is known. */
  use(partition: number): PartitionEntries {
    const known = this.partitions.get(partition) ?? new PartitionEntries();
    this.partitions.delete(partition);
    this.partitions.set(partition, known);
    return known;
  }

  /** Drops the partitions that were not used for longest, except the given ones. */
  trim(kept: ReadonlySet<number>): void {
    for (const [id, { count }] of this.partitions) {
      if (this.entries <= MAX_ENTRIES) return;
      if (kept.has(id)) continue;
      this.partitions.delete(id);
      this.entries -= count;
    }
  }
}
