import { BLOCK_SIZE, ENTRY_BYTES } from './posting-codec.js';

/** The maximum number of cached blocks, about 64 MiB. */
const MAX_BLOCKS = 5_000;

/** Returns the bytes of a full block. Block 0 has one entry less, because ordinals begin with 1. */
const fullBytes = (block: number): number => (BLOCK_SIZE - (block === 0 ? 1 : 0)) * ENTRY_BYTES;

/**
 * Caches full blocks of entries, which never change within their table. A rebuild makes a new table,
 * which may number users differently, so its blocks are cached anew.
 */
export class BlockCache {
  private readonly blocksByNumber = new Map<number, Buffer>();

  /** @param table the oid of the table; undefined until a table is read. */
  constructor(readonly table?: number) {}

  get numbers(): readonly number[] {
    return [...this.blocksByNumber.keys()];
  }

  get(block: number): Buffer | undefined {
    return this.blocksByNumber.get(block);
  }

  put(block: number, data: Buffer): void {
    if (data.length !== fullBytes(block) || this.blocksByNumber.size >= MAX_BLOCKS) return;
    // The data is copied, because the driver returns a view into a larger buffer.
    this.blocksByNumber.set(block, Buffer.from(data));
  }
}
