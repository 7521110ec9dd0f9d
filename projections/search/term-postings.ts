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

interface Kept extends Postings {
  /** The first block that is not kept. */
  readonly next: number;
}

/** The maximum number of postings that a partition keeps. */
const MAX_POSTINGS = 4_000_000;

/**
 * The postings of the terms that were searched for in a partition. The postings of a full block never change, so they
 * are kept, and a search reads only those of later blocks.
 */
export class TermPostings {
  /** The term that was used last comes last. */
  private readonly terms = new Map<string, Kept>();
  private size = 0;

  /** Returns the first block whose postings of a term must be read. */
  nextOf(term: string): number {
    return this.terms.get(term)?.next ?? 0;
  }

  /**
   * Returns the postings of a term.
   * @param read the blocks that were read, from the one that `nextOf` gave before or from an earlier one on
   * @param entries the number of entries in the partition at the time of the read
   */
  of(term: string, read: readonly PostingBlock[], entries: number): Postings {
    const kept = this.terms.get(term);
    const later = read.filter(({ block }) => block >= (kept?.next ?? 0));
    const all = joined(kept, later);
    const full = blockOf(entries);
    if (full > (kept?.next ?? 0)) this.keep(term, all, full);
    return all;
  }

  private keep(term: string, all: Postings, next: number): void {
    const end = firstOrdinalOf(next);
    let count = all.count;
    while (count > 0 && all.ordinals[count - 1]! >= end) count -= 1;
    const kept: Kept = {
      ...{ count, next },
      ordinals: all.ordinals.slice(0, count),
      frequencies: all.frequencies.slice(0, count),
    };
    this.size += count - (this.terms.get(term)?.count ?? 0);
    this.terms.delete(term);
    this.terms.set(term, kept);
    for (const [oldest, { count: freed }] of this.terms) {
      if (this.size <= MAX_POSTINGS && this.terms.size <= MAX_POSTINGS / 40) return;
      this.terms.delete(oldest);
      this.size -= freed;
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
