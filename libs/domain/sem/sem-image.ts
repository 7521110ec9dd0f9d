import { runningSha256, utf8Bytes, type RunningHash } from '../determinism/hash.js';

/** The size of a chunk: small enough to copy at each change, large enough to need few hash states. */
const MAX_CHUNK_BYTES = 32 * 1024;
const LF_BYTES = 1;

/** Adjacent lines, each after an LF, in one byte array. */
interface Chunk {
  readonly keys: string[];
  /** For each line, where it ends in `bytes`. */
  readonly ends: number[];
  readonly bytes: Uint8Array;
}

interface Line {
  readonly key: string;
  /** The bytes of the lines; an LF precedes each line. */
  readonly bytes: Uint8Array;
}

/**
 * The current facts as the sorted bytes that SPEC S8 hashes. After a change, hashing continues from the hash state
 * before the first changed chunk, so the image need not sort and encode all facts again. Keys are ASCII, and TAB
 * sorts before all their characters, so the order of keys is the byte order of the lines.
 */
export class SemImage {
  readonly #chunks: Chunk[] = [];
  /**
   * `#before[i]` is the hash state before chunk i. States that a change has made invalid are removed;
   * the first one always stays.
   */
  readonly #before: RunningHash[] = [runningSha256()];

  /** Builds an image of many facts; `lines` holds the `snapshotLine` of each key. */
  static of(lines: Iterable<readonly [key: string, line: string]>): SemImage {
    const image = new SemImage();
    const ordered = [...new Map(lines)].sort(([left], [right]) => (left < right ? -1 : 1));
    let next: Line[] = [];
    let bytes = 0;
    for (const [key, line] of ordered) {
      const encoded = utf8Bytes(`\n${line}`);
      if (next.length > 0 && bytes + encoded.length > MAX_CHUNK_BYTES / 2) {
        image.#chunks.push(chunkOf(next));
        next = [];
        bytes = 0;
      }
      next.push({ key, bytes: encoded });
      bytes += encoded.length;
    }
    if (next.length > 0) image.#chunks.push(chunkOf(next));
    return image;
  }

  /** Adds or replaces the line of a key. */
  set(key: string, line: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? { keys: [], ends: [], bytes: new Uint8Array(0) };
    const { index, found } = place(chunk.keys, key);
    const changed = spliced(chunk, index, found ? 1 : 0, { key, bytes: utf8Bytes(`\n${line}`) });
    this.#replace(at, changed.bytes.length > MAX_CHUNK_BYTES ? halves(changed) : [changed]);
  }

  /** Removes the line of a key; an unknown key changes nothing. */
  delete(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) return;
    const { index, found } = place(chunk.keys, key);
    if (!found) return;
    const changed = spliced(chunk, index, 1);
    this.#replace(at, changed.keys.length > 0 ? [changed] : []);
  }

  /** Returns the sem_snapshot_hash of the current facts (SPEC S8). */
  hash(): string {
    for (let index = this.#before.length - 1; index < this.#chunks.length; index += 1) {
      const state = this.#before[index]?.copy() ?? runningSha256();
      const { bytes } = this.#chunks[index] as Chunk;
      state.update(index === 0 ? bytes.subarray(LF_BYTES) : bytes);
      this.#before.push(state);
    }
    return (this.#before.at(-1) ?? runningSha256()).copy().digest('hex');
  }

  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.keys[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #replace(at: number, by: readonly Chunk[]): void {
    this.#chunks.splice(at, 1, ...by);
    this.#before.length = Math.min(this.#before.length, at + 1);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function chunkOf(lines: readonly Line[]): Chunk {
  let end = 0;
  return {
    keys: lines.map(({ key }) => key),
    ends: lines.map(({ bytes }) => (end += bytes.length)),
    bytes: joined(lines.map(({ bytes }) => bytes)),
  };
}

function place(keys: readonly string[], key: string): { index: number; found: boolean } {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return { index: low, found: keys[low] === key };
}

function spliced(
  { keys, ends, bytes }: Chunk,
  index: number,
  removed: number,
  added?: Line,
): Chunk {
  const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
  const stop = removed === 0 ? start : (ends[index] ?? start);
  const inserted = added?.bytes ?? new Uint8Array(0);
  const shift = inserted.length - (stop - start);
  const after = ends.slice(index + removed).map((end) => end + shift);
  return {
    keys: keys.toSpliced(index, removed, ...(added ? [added.key] : [])),
    ends: [...ends.slice(0, index), ...(added ? [start + inserted.length] : []), ...after],
    bytes: joined([bytes.subarray(0, start), inserted, bytes.subarray(stop)]),
  };
}

function halves({ keys, ends, bytes }: Chunk): Chunk[] {
  if (keys.length < 2) return [{ keys, ends, bytes }];
  const middle = keys.length >> 1;
  const cut = ends[middle - 1] ?? 0;
  return [
    { keys: keys.slice(0, middle), ends: ends.slice(0, middle), bytes: bytes.subarray(0, cut) },
    {
      keys: keys.slice(middle),
      ends: ends.slice(middle).map((end) => end - cut),
      bytes: bytes.subarray(cut),
    },
  ];
}
