import { blockOf, firstOrdinalOf, POSTING_BYTES } from './index-codec.js';

/** The entries of a partition that have a term, in the order of their ordinals. */
export interface Postings {
  readonly count: number;
  readonly ordinals: Uint32Array;
  readonly frequencies: Uint8Array;
}

interface PostingBlock {
  readonly block: number;
  readonly data: Buffer;
}

/** Postings that a search need not read again. */
export interface KeptPostings extends Postings {
  /** The first block that is not kept. */
  readonly next: number;
}

/** The maximum number of postings and of terms that a partition keeps. */
const MAX_POSTINGS = 4_000_000;
const MAX_TERMS = 100_000;

/**
 * The postings of the terms that were searched for in a partition. The postings of a full block never change, so they
 * are kept, and a search reads only those of later blocks.
 */
export class TermPostings {
  /** The term that was used last comes last. */
  private readonly terms = new Map<string, KeptPostings>();
  private total = 0;

  /** The number of postings that are kept. */
  get size(): number {
    return this.total;
  }

  /** Returns the postings of a term that need not be read. */
  keptOf(term: string): KeptPostings | undefined {
    return this.terms.get(term);
  }

  /**
   * Returns the postings of a term.
   * @param kept those that were not read
   * @param read the blocks that were read, from `kept.next` on
   * @param entries the number of entries in the partition at the time of the read
   */
  of(
    term: string,
    kept: KeptPostings | undefined,
    read: readonly PostingBlock[],
    entries: number,
  ): Postings {
    const all = joined(kept, read);
    const full = blockOf(entries);
    if (full > (this.terms.get(term)?.next ?? 0)) this.keep(term, all, full);
    return all;
  }

  private keep(term: string, all: Postings, next: number): void {
    const end = firstOrdinalOf(next);
    let count = all.count;
    while (count > 0 && all.ordinals[count - 1]! >= end) count -= 1;
    const kept: KeptPostings = {
      ...{ count, next },
      ordinals: all.ordinals.slice(0, count),
      frequencies: all.frequencies.slice(0, count),
    };
    this.total += count - (this.terms.get(term)?.count ?? 0);
    this.terms.delete(term);
    this.terms.set(term, kept);
    for (const [oldest, { count: freed }] of this.terms) {
      if (this.total <= MAX_POSTINGS && this.terms.size <= MAX_TERMS) return;
      this.terms.delete(oldest);
      this.total -= freed;
    }
  }
}

function joined(kept: Postings | undefined, read: readonly PostingBlock[]): Postings {
  if (kept !== undefined && read.length === 0) return kept;
  const blocks = [...read].sort((left, right) => left.block - right.block);
  const before = kept?.count ?? 0;
  const count = blocks.reduce((sum, { data }) => sum + data.length / POSTING_BYTES, before);
  const ordinals = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  if (kept !== undefined) {
    ordinals.set(kept.ordinals);
    frequencies.set(kept.frequencies);
  }
  let at = before;
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

/** Returns the frequency of the term in an entry; 0 if it does not have the term. */
export function frequencyOf({ count, ordinals, frequencies }: Postings, ordinal: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (ordinals[middle] === ordinal) return frequencies[middle]!;
    if (ordinals[middle]! < ordinal) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
