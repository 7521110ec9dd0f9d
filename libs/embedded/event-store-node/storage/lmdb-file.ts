import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegularSync } from '#files/regular-file.js';

/** Thrown for a file that LMDB could not use safely. The message names the page. */
export class BrokenTree extends Error {
  override readonly name = 'BrokenTree';
}

/** Receives each entry of the named databases in a file, in the order of their keys. */
export type Visit = (database: string, key: Buffer, value: () => Buffer) => void;

const PAGE_HEADER = 24;
const NODE_HEADER = 8;
const META = { magic: 0xbeefc0de, version: 2, size: 144 };
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const META_PAGE = 8;
const BIG_DATA = 1;
const SUB_DATABASE = 2;
const NO_PAGE = 0xffffffffffffffffn;
const INTEGER_KEYS = 8;
/** The bytes by which a node refers to its data in overflow pages. */
const OVERFLOW_REFERENCE = 24;

interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: bigint;
}

interface Meta {
  readonly free: Tree;
  readonly main: Tree;
  readonly lastPage: number;
  readonly transaction: number;
}

/** A key where it stands in its page. */
interface Key {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

const compareBytes = (a: Key, b: Key): number =>
  a.bytes.compare(b.bytes, b.start, b.end, a.start, a.end);
const compareIntegers = (a: Key, b: Key): number =>
  a.bytes.readUIntLE(a.start, 6) - b.bytes.readUIntLE(b.start, 6);

/** Pages are read in runs of this many, because a tree mostly lies in the order of its keys. */
const PAGES_AT_ONCE = 8;

const broken = (page: number, problem: string): BrokenTree =>
  new BrokenTree(`page ${page} ${problem}`);

/** Returns a 64-bit number; one that is too large for a file counts as infinite. */
const uint64 = (bytes: Buffer, at: number): number =>
  bytes.readUInt16LE(at + 6) === 0 ? bytes.readUIntLE(at, 6) : Infinity;

function readTree(bytes: Buffer, at: number): Tree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: uint64(bytes, at + 8),
    leafPages: uint64(bytes, at + 16),
    overflowPages: uint64(bytes, at + 24),
    entries: uint64(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  };
}

/**
 * Reads a whole LMDB file without LMDB, and visits every entry of its databases, which can have these names.
 * Fails with `BrokenTree` unless every page is where the tree expects it, keys are in order, all counts are
 * right, and no page is both free and in use. LMDB trusts its file: with a single wrong bit in a page it can
 * crash the process, miss entries, or overwrite a page that is in use.
 */
export function checkLmdbFile(path: string, names: readonly string[], visit: Visit): void {
  const file = openRegularSync(path);
  try {
    new LmdbFile(file, fstatSync(file).size, names, visit).check();
  } catch (error) {
    if (error instanceof BrokenTree || isOfSystem(error)) throw error;
    // A damaged number can also lead to a place that no buffer, file or stack has.
    const problem = error instanceof Error ? error.message : String(error);
    throw new BrokenTree(`its pages cannot be followed: ${problem}`, { cause: error });
  } finally {
    closeSync(file);
  }
}

/** True for an error that the operating system reports, such as a missing right. It says nothing about the pages. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

class LmdbFile {
  private readonly pageSize: number;
  private readonly meta: Meta;
  /** The pages that are in use or free. */
  private readonly seen: Uint8Array;
  private highest = 1;
  private window: Buffer = Buffer.alloc(0);
  private firstInWindow = 0;

  constructor(
    private readonly file: number,
    private readonly size: number,
    private readonly names: readonly string[],
    private readonly visit: Visit,
  ) {
    this.pageSize = this.readPageSize();
    this.meta = this.readMeta();
    this.seen = new Uint8Array(
      Math.min(this.meta.lastPage, this.size / this.pageSize + 2 ** 20) + 1,
    );
  }

  check(): void {
    const { free, main, lastPage } = this.meta;
    this.walk(free, compareIntegers, (_key, _flags, value) => this.takeFreePages(value()));
    this.walk(main, compareBytes, (key, flags, value) => {
      const name = key.toString('latin1').replace(/(?<!\0)\0+$/, '');
      const isKnown = this.names.includes(name);
      // Earlier layouts have another kind of entry, too.
      if (flags !== SUB_DATABASE && !isKnown) return;
      // LMDB would begin an empty database in place of one that it does not find.
      if (flags !== SUB_DATABASE || !isKnown)
        throw new BrokenTree('the name of a database is damaged');
      const tree = readTree(value(), 0);
      if (tree.flags !== 0) throw new BrokenTree(`the database ${name} has unknown flags`);
      this.walk(tree, compareBytes, (inner, innerFlags, innerValue) => {
        if (innerFlags !== 0) throw new BrokenTree(`the database ${name} has an unknown node`);
        this.visit(name, inner, innerValue);
      });
    });
    if (lastPage !== this.highest)
      throw broken(lastPage, 'is the last page and belongs to nothing');
  }

  private read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.file, bytes, done, length - done, offset + done);
      if (count === 0) throw new BrokenTree(`the file ends at byte ${this.size}`);
      done += count;
    }
    return bytes;
  }

  private readPageSize(): number {
    const pageSize = this.read(0, PAGE_HEADER + META.size).readUInt32LE(PAGE_HEADER + 24);
    const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
    if (pageSize < 512 || pageSize > 65_536 || !isPowerOfTwo) {
      throw broken(0, 'has an unknown page size');
    }
    return pageSize;
  }

  private readMeta(): Meta {
    const pages = [0, 1].map((page) => this.read(page * this.pageSize, PAGE_HEADER + META.size));
    const metas = pages.map((bytes, page) => {
      const at = PAGE_HEADER;
      if (bytes.readUInt32LE(at) !== META.magic || bytes.readUInt32LE(at + 4) !== META.version) {
        throw broken(page, 'is not a page of LMDB');
      }
      if (bytes.readUInt16LE(18) !== META_PAGE) throw broken(page, 'is not a meta page');
      const transaction = uint64(bytes, at + 128);
      if (transaction !== 0 && transaction % 2 !== page) throw broken(page, 'has a wrong number');
      return {
        constants:
          bytes.toString('latin1', at, at + 16) + bytes.toString('latin1', at + 24, at + 30),
        mapSize: uint64(bytes, at + 16),
        free: readTree(bytes, at + 24),
        main: readTree(bytes, at + 72),
        lastPage: uint64(bytes, at + 120),
        transaction,
      };
    });
    const [first, second] = metas as [(typeof metas)[0], (typeof metas)[0]];
    if (Math.abs(first.transaction - second.transaction) > 1) {
      throw broken(0, 'and page 1 are not from neighbouring commits');
    }
    if (first.constants !== second.constants) throw broken(0, 'and page 1 differ');
    const newest = first.transaction > second.transaction ? first : second;
    if ((newest.free.flags & INTEGER_KEYS) === 0) throw broken(0, 'has wrong flags');
    if (newest.mapSize > 2 ** 46) throw broken(0, 'has a wrong size');
    if (newest.lastPage > this.size / this.pageSize + 2 ** 20) {
      throw new BrokenTree(`the file ends at byte ${this.size}, before its last page`);
    }
    return newest;
  }

  /** Marks a page as in use or free. Fails if it already was. */
  private take(page: number, user: number): void {
    if (!(page > 1 && page <= this.meta.lastPage)) throw broken(user, `names the page ${page}`);
    if (this.seen[page]) throw broken(page, 'belongs to two places');
    this.seen[page] = 1;
    if (page > this.highest) this.highest = page;
  }

  /** A list of free pages: its length, then pages; a negative number is the length of a run of pages. */
  private takeFreePages(list: Buffer): void {
    const length = uint64(list, 0);
    if (length * 8 + 8 > list.length) throw new BrokenTree('a list of free pages is cut off');
    let run = 1;
    for (let index = 1; index <= length; index++) {
      const entry = Number(list.readBigInt64LE(index * 8));
      if (entry < 0) {
        run = -entry;
        if (run > this.meta.lastPage) throw new BrokenTree('a run of free pages is too long');
        continue;
      }
      if (entry > 0) for (let page = entry; page < entry + run; page++) this.take(page, entry);
      run = 1;
    }
  }

  private walk(
    tree: Tree,
    compare: (a: Key, b: Key) => number,
    visit: (key: Buffer, flags: number, value: () => Buffer) => void,
  ): void {
    const found = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    let previous: Key | undefined;
    const visitNode = (page: number, { bytes, start, end }: Key): void => {
      const flags = bytes.readUInt16LE(start - NODE_HEADER + 4);
      const size = bytes.readUInt32LE(start - NODE_HEADER);
      const key = bytes.subarray(start, end);
      if ((flags & BIG_DATA) === 0) {
        visit(key, flags, () => bytes.subarray(end, end + size));
        return;
      }
      const first = uint64(bytes, end);
      const count = uint64(bytes, end + 16);
      found.overflowPages += count;
      this.takeOverflow(first, count, size, page);
      visit(key, flags & ~BIG_DATA, () => this.read(first * this.pageSize + PAGE_HEADER, size));
    };
    /** The keys of a page are not below the key that names it in the page above, and below the one that follows. */
    const descend = (
      page: number,
      parent: number,
      level: number,
      from?: Key,
      below?: Key,
    ): void => {
      this.take(page, parent);
      const isLeaf = level === tree.depth;
      const keys = this.keysIn(page, isLeaf);
      if (isLeaf) {
        found.leafPages++;
        found.entries += keys.length;
        if (from && keys[0] && compare(keys[0], from) < 0)
          throw broken(page, 'has a wrong key above');
        for (const key of keys) {
          if (previous && compare(previous, key) >= 0) throw broken(page, 'has keys out of order');
          previous = key;
          visitNode(page, key);
        }
        if (below && previous && compare(previous, below) >= 0) {
          throw broken(page, 'has a key of another page');
        }
        return;
      }
      found.branchPages++;
      keys.forEach((key, index) => {
        // The first key of a branch page is not used.
        if (index > 0 && previous && compare(previous, key) >= 0) {
          throw broken(page, 'has a wrong key');
        }
        const child = key.bytes.readUIntLE(key.start - NODE_HEADER, 6);
        descend(child, page, level + 1, index > 0 ? key : from, keys[index + 1] ?? below);
      });
    };
    if (tree.root !== NO_PAGE) descend(Number(tree.root), 0, 1);
    else if (tree.depth !== 0) throw new BrokenTree('an empty tree has pages');
    for (const key of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const) {
      if (found[key] === tree[key]) continue;
      throw new BrokenTree(`a tree has ${found[key]} ${key}, not ${tree[key]}`);
    }
  }

  private takeOverflow(first: number, count: number, size: number, page: number): void {
    if (count !== Math.floor((PAGE_HEADER - 1 + size) / this.pageSize) + 1) {
      throw broken(page, 'has an entry of a wrong size');
    }
    for (let index = 0; index < count; index++) this.take(first + index, page);
    const header = this.read(first * this.pageSize, PAGE_HEADER);
    const isWhole =
      uint64(header, 0) === first &&
      header.readUInt16LE(18) === OVERFLOW &&
      header.readUInt32LE(20) === count;
    if (!isWhole) throw broken(first, 'has a wrong head');
  }

  private readPage(page: number): Buffer {
    const start = (page - this.firstInWindow) * this.pageSize;
    if (start >= 0 && start + this.pageSize <= this.window.length) {
      return this.window.subarray(start, start + this.pageSize);
    }
    const offset = page * this.pageSize;
    const left = Math.max(this.size - offset, this.pageSize);
    this.window = this.read(offset, Math.min(PAGES_AT_ONCE * this.pageSize, left));
    this.firstInWindow = page;
    return this.window.subarray(0, this.pageSize);
  }

  /** Returns the keys of a page in their order. Fails unless the nodes fill exactly the room of the page. */
  private keysIn(page: number, isLeaf: boolean): Key[] {
    const bytes = this.readPage(page);
    const lower = bytes.readUInt16LE(20);
    const upper = bytes.readUInt16LE(22);
    const room = this.pageSize - PAGE_HEADER;
    const isWhole =
      uint64(bytes, 0) === page &&
      uint64(bytes, 8) <= this.meta.transaction &&
      bytes.readUInt16LE(18) === (isLeaf ? LEAF : BRANCH) &&
      lower % 2 === 0 &&
      lower <= upper &&
      upper <= room;
    if (!isWhole) throw broken(page, 'has a wrong head');
    let used = 0;
    const keys: Key[] = [];
    for (let pointer = PAGE_HEADER; pointer < PAGE_HEADER + lower; pointer += 2) {
      const offset = bytes.readUInt16LE(pointer);
      const at = PAGE_HEADER + offset;
      if (offset < upper || at + NODE_HEADER > this.pageSize)
        throw broken(page, 'has a wrong node');
      const keySize = bytes.readUInt16LE(at + 6);
      const isBig = isLeaf && (bytes[at + 4]! & BIG_DATA) !== 0;
      const dataSize = !isLeaf ? 0 : isBig ? OVERFLOW_REFERENCE : bytes.readUInt32LE(at);
      const size = NODE_HEADER + keySize + dataSize;
      if (at + size > this.pageSize) throw broken(page, 'has a node that is too long');
      used += size + (size % 2);
      keys.push({ bytes, start: at + NODE_HEADER, end: at + NODE_HEADER + keySize });
    }
    if (used !== room - upper) throw broken(page, 'has nodes of a wrong size');
    return keys;
  }
}
