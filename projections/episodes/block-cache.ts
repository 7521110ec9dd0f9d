import { BLOCK_SIZE, ENTRY_BYTES } from './posting-codec.js';

/** About 64 MiB. */
const MOST_BLOCKS = 5_000;

/** Block 0 lacks place 0, since ordinals begin with 1. */
const fullBytes = (block: number): number => (BLOCK_SIZE - (block === 0 ? 1 : 0)) * ENTRY_BYTES;

/**
 * Blocks of entries that are full, and so never change in the table that they were read from. A rebuild
 * puts another table in its place, which may number viewers otherwise: its blocks are kept anew.
 */
export class KeptBlocks {
  private readonly kept = new Map<number, Buffer>();

  /** `table`: the oid of the table; undefined as long as none was read. */
  constructor(readonly table?: number) {}

  get numbers(): readonly number[] {
    return [...this.kept.keys()];
  }

  get(block: number): Buffer | undefined {
    return this.kept.get(block);
  }

  put(block: number, data: Buffer): void {
    if (data.length !== fullBytes(block) || this.kept.size >= MOST_BLOCKS) return;
    // A copy: what the database driver hands out is a window into a larger buffer.
    this.kept.set(block, Buffer.from(data));
  }
}
