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

/** The postings of a term as they were when the partition had a number of entries. */
export interface KeptPostings extends Postings {
  /** The number of entries in the partition. While it is the same, these are all postings of the term. */
  readonly entries: number;
  /** The first block that was not full. It is read again when the partition has more entries. */
  readonly next: number;
  /** The number of postings before that block. */
  readonly full: number;
}

/** The maximum number of postings and of terms that a partition keeps. */
const MAX_POSTINGS = 4_000_000;
const MAX_TERMS = 100_000;

/**
 * The postings of the terms that were searched for in a partition. The postings of a full block never change, so a
 * search reads only those of later blocks; while the partition has no new entry, it reads none.
 */
export class TermPostings {
  /** The term that was used last comes last. */
  private readonly terms = new Map<string, KeptPostings>();
  private total = 0;

  /** The number of postings that are kept. */
  get size(): number {
    return this.total;
  }

  /** Returns the postings of a term, as a search read them last. */
  keptOf(term: string): KeptPostings | undefined {
    return this.terms.get(term);
  }

  /**
   * Returns the postings of a term.
   * @param kept those that a search has read before
   * @param read the blocks that were read now, from `kept.next` on
   * @param entries the number of entries in the partition at the time of the read
   */
  of(
    term: string,
    kept: KeptPostings | undefined,
    read: readonly PostingBlock[],
    entries: number,
  ): Postings {
    const all = joined(kept, read);
    if (entries > (this.terms.get(term)?.entries ?? 0)) this.keep(term, all, entries);
    return all;
  }

  private keep(term: string, all: Postings, entries: number): void {
    const next = blockOf(entries);
    const end = firstOrdinalOf(next);
    let full = all.count;
    while (full > 0 && all.ordinals[full - 1]! >= end) full -= 1;
    this.total += all.count - (this.terms.get(term)?.count ?? 0);
    this.terms.delete(term);
    this.terms.set(term, { ...all, entries, next, full });
    for (const [oldest, { count: freed }] of this.terms) {
      if (this.total <= MAX_POSTINGS && this.terms.size <= MAX_TERMS) return;
      this.terms.delete(oldest);
      this.total -= freed;
    }
  }
}

function joined(kept: KeptPostings | undefined, read: readonly PostingBlock[]): Postings {
  const before = kept?.full ?? 0;
  if (kept !== undefined && before === kept.count && read.length === 0) return kept;
  const blocks = [...read].sort((left, right) => left.block - right.block);
  const count = blocks.reduce((sum, { data }) => sum + data.length / POSTING_BYTES, before);
  const ordinals = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  if (kept !== undefined) {
    ordinals.set(kept.ordinals.subarray(0, before));
    frequencies.set(kept.frequencies.subarray(0, before));
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
