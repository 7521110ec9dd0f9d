import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { blockOf, firstOrdinalOf, POSTING_BYTES } from './index-codec.js';

/** The entries of a partition that have a term, in the order of their ordinals. */
export interface Postings {
  readonly count: number;
  readonly ordinals: ArrayLike<number>;
  readonly frequencies: ArrayLike<number>;
}

export interface PostingBlock {
  readonly block: number;
  readonly data: Buffer;
}

/** The postings of a term as they were when the partition had a number of entries. */
export interface KeptPostings extends Postings {
  /** The number of entries in the partition. While it is the same, these are all postings of the term. */
  readonly entries: number;
  /** The first block that was not full. It is read again when the partition has more entries. */
  readonly next: number;
  /** The number of postings before that block. */
  readonly full: number;
}

/** The approximate size of the entries of a term without their numbers, and that of one entry. */
const TERM_BYTES = 500;
const NUMBER_BYTES = 5;

/** Returns a map of the terms of a partition to what it keeps of each. @param entriesOf their number */
export const newTermMap = <Value>(entriesOf: (value: Value) => number): LruMap<string, Value> =>
  new LruMap<string, Value>({
    maxBytes: 32 * 1024 * 1024,
    bytesOf: (value, term) => TERM_BYTES + stringBytes(term) + NUMBER_BYTES * entriesOf(value),
  });

const NO_POSTINGS: Postings = {
  count: 0,
  ordinals: [],
  frequencies: [],
};

/** So few numbers are kept in a list, because a typed array costs more than they. */
const MAX_LISTED = 32;

/**
 * The postings of the terms that were searched for in a partition. The postings of a full block never change, so a
 * search reads only those of later blocks; while the partition has no new entry, it reads none.
 */
export class TermPostings {
  /** Undefined before the first term, because most partitions are never used. */
  private terms: LruMap<string, KeptPostings> | undefined;

  /** The approximate size in memory. */
  get bytes(): number {
    return this.terms?.bytes ?? 0;
  }

  /** Returns the postings of a term, as a search read them last. */
  keptOf(term: string): KeptPostings | undefined {
    return this.terms?.get(term);
  }

  /**
   * Returns the postings of a term.
   * @param kept those that a search has read before
   * @param read the blocks that were read now, from `kept.next` on
   * @param entries the number of entries in the partition at the time of the read
   * @param isKept false for a search over very many partitions, which would fill the memory with what is quickly read
   */
  of(
    term: string,
    kept: KeptPostings | undefined,
    read: readonly PostingBlock[],
    entries: number,
    isKept: boolean,
  ): Postings {
    const all = joined(kept, read);
    if (!isKept) return all;
    return entries > (this.terms?.peek(term)?.entries ?? 0) ? this.keep(term, all, entries) : all;
  }

  private keep(
    term: string,
    { count, ordinals, frequencies }: Postings,
    entries: number,
  ): Postings {
    const next = blockOf(entries);
    const end = firstOrdinalOf(next);
    let full = count;
    while (full > 0 && ordinals[full - 1]! >= end) full -= 1;
    const kept = { count, ordinals, frequencies, entries, next, full };
    this.terms ??= newTermMap((postings) => postings.count);
    this.terms.set(term, kept);
    return kept;
  }
}

function joined(kept: KeptPostings | undefined, read: readonly PostingBlock[]): Postings {
  const before = kept?.full ?? 0;
  if (kept !== undefined && before === kept.count && read.length === 0) return kept;
  const blocks = [...read].sort((left, right) => left.block - right.block);
  const count = blocks.reduce((sum, { data }) => sum + data.length / POSTING_BYTES, before);
  if (count === 0) return NO_POSTINGS;
  const isListed = count <= MAX_LISTED;
  const ordinals = isListed ? new Array<number>(count) : new Uint32Array(count);
  const frequencies = isListed ? new Array<number>(count) : new Uint8Array(count);
  let at = 0;
  for (; at < before; at += 1) {
    ordinals[at] = kept!.ordinals[at]!;
    frequencies[at] = kept!.frequencies[at]!;
  }
  for (const { block, data } of blocks) {
    const first = firstOrdinalOf(block);
    for (let byte = 0; byte < data.length; byte += POSTING_BYTES) {
      ordinals[at] = first + (data[byte]! | (data[byte + 1]! << 8));
      frequencies[at] = data[byte + 2]!;
      at += 1;
    }
  }
  return { count, ordinals, frequencies };
}
