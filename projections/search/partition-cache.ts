import { LruMap } from '#bounded/lru-map.js';
import { PartitionEntries } from './partition-entries.js';

/** The maximum size of the partitions in memory. */
const MAX_BYTES = 384 * 1024 * 1024;

/**
 * The partitions that this process has read. A query reads only the blocks that have changed since. A rebuild makes new
 * tables, so they are read anew.
 */
export class PartitionCache {
  private readonly partitions = new LruMap<number, PartitionEntries>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ bytes }) => bytes,
  });

  /** @param table the oid of the tables; undefined until one is read. */
  constructor(readonly table?: string) {}

  /** Returns a partition, which is empty if nothing of it is known. */
  use(partition: number): PartitionEntries {
    const known = this.known(partition);
    if (known !== undefined) return known;
    const entries = new PartitionEntries();
    this.keep(partition, entries);
    return entries;
  }

  /** Returns a partition that was read before; undefined if it is not in memory. */
  known(partition: number): PartitionEntries | undefined {
    return this.partitions.get(partition);
  }

  /** Keeps a partition, and measures it. Called after each use, which may have added to it. */
  keep(partition: number, entries: PartitionEntries): void {
    this.partitions.set(partition, entries);
  }
}
