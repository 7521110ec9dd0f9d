/** The number of bits for the index of an entry within its block. */
export const BLOCK_BITS = 10;
export const BLOCK_SIZE = 1 << BLOCK_BITS;
const COUNT_BITS = 11;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

export const POSTING_BYTES = 4;
export const ENTRY_BYTES = 12;

export const blockOf = (ordinal: number): number => ordinal >> BLOCK_BITS;
export const placeOf = (ordinal: number): number => ordinal & (BLOCK_SIZE - 1);

/** Encodes a token's posting for one entry. A summary of 2,000 code points has at most 1,000 tokens. */
export function encodePosting(place: number, frequency: number, tokenCount: number): Buffer {
  if (tokenCount > COUNT_MASK) throw new RangeError('a summary has too many tokens');
  const posting = Buffer.allocUnsafe(POSTING_BYTES);
  posting.writeUInt32LE(
    ((place << (2 * COUNT_BITS)) | (frequency << COUNT_BITS) | tokenCount) >>> 0,
  );
  return posting;
}

/**
 * Adds the postings of a token in one block to `overlaps`, and each entry's number of tokens to `tokenCounts`; both
 * are indexed by the entry's index in the block. Numbers are little-endian, as on every machine that runs Node.
 */
export function addPostings(data: Buffer, overlaps: Uint16Array, tokenCounts: Uint16Array): void {
  for (let at = 0; at < data.length; at += POSTING_BYTES) {
    const posting = data.readUInt32LE(at);
    const place = posting >>> (2 * COUNT_BITS);
    overlaps[place] = (overlaps[place] ?? 0) + ((posting >>> COUNT_BITS) & COUNT_MASK);
    tokenCounts[place] = posting & COUNT_MASK;
  }
}

const YEAR_10000 = Date.parse('9999-12-31T23:59:59.999Z') + 1;

/**
 * Returns a number that orders timestamps as their stored texts are ordered. From the year 10000 on,
 * these texts begin with `+`, which sorts before every digit.
 */
export function createdKey(timestamp: string): number {
  const ms = Date.parse(timestamp);
  return ms < YEAR_10000 ? ms : ms - 1e16;
}

/** Encodes the data of an entry that the filters use and that decides the order of entries with equal scores. */
export function encodeEntry(created: number, viewerCode: number): Buffer {
  const entry = Buffer.allocUnsafe(ENTRY_BYTES);
  entry.writeDoubleLE(created);
  entry.writeUInt32LE(viewerCode, 8);
  return entry;
}

export const createdKeyAt = (data: Buffer, index: number): number =>
  data.readDoubleLE(index * ENTRY_BYTES);
export const viewerCodeAt = (data: Buffer, index: number): number =>
  data.readUInt32LE(index * ENTRY_BYTES + 8);
