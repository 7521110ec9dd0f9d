import { IN_GROUP, type IndexedEntry } from './index-codec.js';

/** The columns of numbers with a fraction or more than 32 bits, and those of codes. */
const [TIME, APPEARED, DIED, RECORDED, NUMBERS] = [0, 1, 2, 3, 4];
const [LENGTH, CONTAINER, LABEL, FLAGS, CODES] = [0, 1, 2, 3, 4];
const ENTRY_BYTES = NUMBERS * 8 + CODES * 4;
/** So few entries are kept in lists: most partitions have few, and a typed array costs more than they. */
const MAX_LISTED = 64;

/** The times, codes and flags of entries, by ordinal. The ranking reads them. */
export class EntryColumns {
  /** All are infinite at first, as the position where a living entry ended. */
  private readonly numbers: number[] | Float64Array;
  private readonly codes: number[] | Uint32Array;

  /** @param room the number of entries for which there is room */
  constructor(readonly room: number) {
    const isListed = room <= MAX_LISTED;
    const [numbers, codes] = [room * NUMBERS, room * CODES];
    this.numbers = (isListed ? new Array<number>(numbers) : new Float64Array(numbers)).fill(
      Infinity,
    );
    this.codes = isListed ? new Array<number>(codes).fill(0) : new Uint32Array(codes);
  }

  /** The approximate size in memory. */
  get bytes(): number {
    return this.room * ENTRY_BYTES;
  }

  /** Returns the same entries with room for more. */
  withRoom(room: number): EntryColumns {
    const more = new EntryColumns(room);
    copy(this.numbers, more.numbers);
    copy(this.codes, more.codes);
    return more;
  }

  put(ordinal: number, entry: IndexedEntry): void {
    const { time, appeared, recorded, length, container, label, flags } = entry;
    const number = ordinal * NUMBERS;
    this.numbers[number + TIME] = time;
    this.numbers[number + APPEARED] = appeared;
    this.numbers[number + RECORDED] = recorded;
    const code = ordinal * CODES;
    this.codes[code + LENGTH] = length;
    this.codes[code + CONTAINER] = container;
    this.codes[code + LABEL] = label;
    this.codes[code + FLAGS] = flags;
  }

  /** Notes the position at which an entry ended. Returns false if it is known. */
  end(ordinal: number, position: number): boolean {
    const at = ordinal * NUMBERS + DIED;
    if (this.numbers[at] === position) return false;
    this.numbers[at] = position;
    return true;
  }

  /** True if an entry was there at a position. */
  wasThere(ordinal: number, position: number): boolean {
    const at = ordinal * NUMBERS;
    return this.numbers[at + APPEARED]! <= position && this.numbers[at + DIED]! > position;
  }

  /** True if an entry has appeared and not ended. */
  isThere(ordinal: number): boolean {
    const at = ordinal * NUMBERS;
    return this.numbers[at + APPEARED] !== Infinity && this.numbers[at + DIED] === Infinity;
  }

  isGrouped(ordinal: number): boolean {
    return (this.flags(ordinal) & IN_GROUP) !== 0;
  }

  time(ordinal: number): number {
    return this.numbers[ordinal * NUMBERS + TIME]!;
  }

  recorded(ordinal: number): number {
    return this.numbers[ordinal * NUMBERS + RECORDED]!;
  }

  length(ordinal: number): number {
    return this.codes[ordinal * CODES + LENGTH]!;
  }

  container(ordinal: number): number {
    return this.codes[ordinal * CODES + CONTAINER]!;
  }

  label(ordinal: number): number {
    return this.codes[ordinal * CODES + LABEL]!;
  }

  flags(ordinal: number): number {
    return this.codes[ordinal * CODES + FLAGS]!;
  }
}

function copy(from: ArrayLike<number>, to: number[] | Float64Array | Uint32Array): void {
  for (let at = 0; at < from.length; at += 1) to[at] = from[at]!;
}
