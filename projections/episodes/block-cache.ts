import { BLOCK_SIZE, ENTRY_BYTES } from './posting-codec.js';

/** About 64 MiB. */
const MAX_BLOCKS = 5_000;

/** Block 0 has no place 0, because ordinals begin with 1. */
const fullBytes = (block: number): number => (BLOCK_SIZE - (block === 0 ? 1 : 0)) * ENTRY_BYTES;

/**
 * Caches full blocks of entries, which never change in their table. A rebuild replaces the table and may
 * number viewers differently, so its blocks are cached anew.
 */
export class BlockCache {
  private readonly kept = new Map<number, Buffer>();

  /** @param table the oid of the table; undefined until a table is read. */
  constructor(readonly table?: number) {}

  get numbers(): readonly number[] {
    return [...this.kept.keys()];
  }

  get(block: number): Buffer | undefined {
    return this.kept.get(block);
  }

  put(block: number, data: Buffer): void {
    if (data.length !== fullBytes(block) || this.kept.size >= MAX_BLOCKS) return;
    // A copy, because the driver returns a view into a larger buffer.
    this.kept.set(block, Buffer.from(data));
  }
}
