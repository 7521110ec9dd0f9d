import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { open } from 'lmdb';
import { DamagedStore, positions } from './damage.js';
import { DATABASE_FILE, DATABASES } from './database.js';
import { JOURNAL_FILES, type PlacedRecord } from './journal.js';
import { BrokenTree, checkLmdbFile } from './lmdb-file.js';
import { upgraded } from './record.js';

// Reads a store of layout 1: its records, rows and journal heads have no checksums and no seed. Such a store is
// converted at its first start and never written.

interface Group {
  readonly firstPosition: number;
  readonly records: readonly Buffer[];
}

const FILE_SIZE = 8 * 1024 * 1024;
const HEADER = 8;
const GROUP_HEADER = HEADER + 12;

export interface OldStore {
  readonly last: number;
  readonly records: AsyncGenerator<PlacedRecord>;
}

/**
 * Reads a store of layout 1. `records` are sealed with the seed. Fails with `DamagedStore` if a file is damaged,
 * as far as this can be seen.
 */
export async function readLayout1(folder: string, seed: number): Promise<OldStore> {
  const path = join(folder, DATABASE_FILE);
  let count = 0;
  try {
    if (existsSync(path))
      checkLmdbFile(path, DATABASES, (database) => void (database === 'events' && count++));
  } catch (error) {
    if (!(error instanceof BrokenTree)) throw error;
    throw new DamagedStore(folder, `${path} is damaged: ${error.message}.`, false);
  }
  const groups = await groupsOf(folder, count > 0);
  const last = groups.reduce(
    (end, { firstPosition, records }) => Math.max(end, firstPosition + records.length - 1),
    count,
  );
  return { last, records: recordsOf(folder, count, groups, seed) };
}

async function* recordsOf(
  folder: string,
  count: number,
  groups: readonly Group[],
  seed: number,
): AsyncGenerator<PlacedRecord> {
  let last = 0;
  const placed = (record: Buffer, position: number): PlacedRecord => {
    if (position !== last + 1) throw missing(folder, last + 1, position - 1);
    last = position;
    try {
      return { position, record: upgraded(record, position, seed) };
    } catch {
      throw missing(folder, position, position);
    }
  };
  if (count > 0) {
    const root = open({ path: join(folder, DATABASE_FILE), readOnly: true, maxDbs: 8 });
    try {
      const events = root.openDB<Buffer, number>({ name: 'events', encoding: 'binary' });
      for (const { key, value } of events.getRange({})) yield placed(value, key);
    } finally {
      await root.close();
    }
  }
  for (const { firstPosition, records } of groups) {
    for (const [index, record] of records.entries()) {
      const position = firstPosition + index;
      if (position > last) yield placed(record, position);
    }
  }
}

const missing = (folder: string, from: number, to: number): DamagedStore =>
  new DamagedStore(folder, `${folder} is damaged: ${positions(from, to)} cannot be read.`, false);

/**
 * Returns all whole groups of both files, in the order of their positions. A store with events has both files in
 * full size; an earlier release that was killed at its first start may have left less.
 */
async function groupsOf(folder: string, hasEvents: boolean): Promise<Group[]> {
  const groups: Group[] = [];
  for (const name of JOURNAL_FILES) {
    const path = join(folder, name);
    const bytes = existsSync(path) ? await readFile(path) : Buffer.alloc(0);
    if (hasEvents && bytes.length < FILE_SIZE) {
      throw new DamagedStore(folder, `${path} is cut off after ${bytes.length} bytes.`, false);
    }
    groups.push(...groupsIn(bytes));
  }
  return groups.sort((a, b) => a.firstPosition - b.firstPosition);
}

function groupsIn(bytes: Buffer): Group[] {
  const groups: Group[] = [];
  for (let at = 0; at + GROUP_HEADER <= bytes.length;) {
    const group = groupAt(bytes, at);
    if (group) groups.push(group);
    at += group ? bytes.readUInt32BE(at) : 1;
  }
  return groups;
}

function groupAt(bytes: Buffer, at: number): Group | undefined {
  const length = bytes.readUInt32BE(at);
  if (length < GROUP_HEADER || at + length > bytes.length) return undefined;
  const firstPosition = bytes.readDoubleBE(at + 8);
  const count = bytes.readUInt32BE(at + 16);
  if (!Number.isSafeInteger(firstPosition) || firstPosition < 1 || count === 0) return undefined;
  const group = bytes.subarray(at, at + length);
  const records: Buffer[] = [];
  let next = GROUP_HEADER;
  for (let index = 0; index < count; index++) {
    if (next + 4 > length) return undefined;
    const end = next + 4 + group.readUInt32BE(next);
    if (end > length) return undefined;
    records.push(group.subarray(next + 4, end));
    next = end;
  }
  const isWhole = next === length && crc32(group.subarray(HEADER)) === group.readUInt32BE(4);
  return isWhole ? { firstPosition, records } : undefined;
}
