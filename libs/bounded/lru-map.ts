/** What bounds a map, and how large its entries are. */
export interface LruOptions<Key, Value> {
  readonly maxBytes: number;
  /** Returns the approximate size of an entry in bytes, with what it costs to keep the entry. */
  readonly bytesOf: (value: Value, key: Key) => number;
}

/** The approximate size of an entry in a map, without its key and its value. */
const ENTRY_BYTES = 100;

/** Returns the approximate size of a string in memory. */
export const stringBytes = (text: string): number => 24 + 2 * text.length;

/** Returns the approximate size of a small JSON value with its key. */
export const jsonBytes = (value: unknown, key: string): number =>
  stringBytes(key) + stringBytes(JSON.stringify(value));

/**
 * Keeps the entries that were used last, within a number of bytes, so that no caller can fill the memory of the
 * process.
 */
export class LruMap<Key, Value> {
  /** The entry that was used last comes last. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(private readonly options: LruOptions<Key, Value>) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The approximate size of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the value of a key, which counts as used now. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Returns the value of a key, which does not count as used. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Keeps a value, and measures it. If there is too much, the entries that were not used for longest are dropped. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const bytes = ENTRY_BYTES + this.options.bytesOf(value, key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.options.maxBytes) this.#dropOldest();
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Returns the keys, the one that was used last at the end. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  /**
   * Drops an eighth of the entries at once, and more if needed. To find the oldest entry, a Map steps over all
   * deleted ones, which is slow. Dropping many together does this once.
   */
  #dropOldest(): void {
    const { maxBytes } = this.options;
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= maxBytes - maxBytes / 8) return;
      this.delete(key);
    }
  }
}
