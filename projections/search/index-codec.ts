/** The number of bits for the index of an entry within its block. */
const BLOCK_BITS = 10;
export const BLOCK_SIZE = 1 << BLOCK_BITS;

export const blockOf = (ordinal: number): number => ordinal >> BLOCK_BITS;
export const placeOf = (ordinal: number): number => ordinal & (BLOCK_SIZE - 1);
export const firstOrdinalOf = (block: number): number => block << BLOCK_BITS;

export const POSTING_BYTES = 3;

export function encodePosting(place: number, frequency: number): Buffer {
  const posting = Buffer.allocUnsafe(POSTING_BYTES);
  posting.writeUInt16LE(place);
  posting[2] = frequency;
  return posting;
}

/** What the ranking needs of an entry. */
export interface IndexedEntry {
  readonly length: number;
  /** The code of what the entry is in; 0 if it is in nothing. */
  readonly container: number;
  /** The code of its label; 0 without a label. */
  readonly label: number;
  readonly flags: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly appeared: number;
  /** The clock when its event was recorded, in milliseconds since 1970. */
  readonly recorded: number;
}

/** A flag beside those of the ranking: the entries of the container are each other's context (SPEC Q2). */
export const IN_GROUP = 128;

export const ENTRY_BYTES = 37;

export function encodeEntry(entry: IndexedEntry): Buffer {
  const data = Buffer.allocUnsafe(ENTRY_BYTES);
  data.writeUInt32LE(entry.length);
  data.writeUInt32LE(entry.container, 4);
  data.writeUInt32LE(entry.label, 8);
  data[12] = entry.flags;
  data.writeDoubleLE(entry.time, 13);
  data.writeDoubleLE(entry.appeared, 21);
  data.writeDoubleLE(entry.recorded, 29);
  return data;
}

export function decodeEntry(data: Buffer, index: number): IndexedEntry {
  const at = index * ENTRY_BYTES;
  return {
    length: data.readUInt32LE(at),
    container: data.readUInt32LE(at + 4),
    label: data.readUInt32LE(at + 8),
    flags: data[at + 12]!,
    time: data.readDoubleLE(at + 13),
    appeared: data.readDoubleLE(at + 21),
    recorded: data.readDoubleLE(at + 29),
  };
}

export const DEATH_BYTES = 10;

export function encodeDeath(place: number, position: number): Buffer {
  const death = Buffer.allocUnsafe(DEATH_BYTES);
  death.writeUInt16LE(place);
  death.writeDoubleLE(position, 2);
  return death;
}

export const decodeDeath = (data: Buffer, index: number) => ({
  place: data.readUInt16LE(index * DEATH_BYTES),
  position: data.readDoubleLE(index * DEATH_BYTES + 2),
});
