import { type FileHandle, open } from 'node:fs/promises';
import { fdatasync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { readRegular } from '#files/regular-file.js';
import { isIntact, seal } from './checksum.js';
import { isRecordAt } from './record.js';

const syncData = promisify(fdatasync);

/** A group: records with consecutive positions that are acknowledged together. */
export interface Group {
  readonly firstPosition: number;
  readonly records: readonly Buffer[];
}

/** A whole group that stands in a journal file. */
export interface FoundGroup extends Group {
  readonly isFirstInFile: boolean;
  /** The offset after the group. */
  readonly end: number;
}

/** The size of each file of the journal, which is allocated when the file is made. */
const FILE_SIZE = 8 * 1024 * 1024;
/** A file with more bytes is not a journal. */
const MAX_BYTES = 8 * FILE_SIZE;
/** A file begins with: magic (8) · seed (4) · checksum (4). */
const HEAD = 16;
const MAGIC = Buffer.from('MACE-J 2', 'latin1');
/**
 * The bytes of a group are: length (4) · count (4) · first position (8) · checksum of these fields (4) ·
 * {length (4), record}…, filled up to a multiple of `ALIGNMENT`. Each record has its own checksum. A group
 * without records says that everything before its position is on disk.
 */
const GROUP_HEADER = 20;
const ALIGNMENT = 8;
const ZEROS = Buffer.alloc(1024 * 1024);

const aligned = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
/** The bytes of a group without records, which follows each group. */
const END_MARK = aligned(GROUP_HEADER);

/** Returns the bytes that a journal needs for a group with these records. */
export const groupSize = (records: readonly Buffer[]): number =>
  aligned(records.reduce((size, record) => size + 4 + record.length, GROUP_HEADER));

/** One of the two files of a journal. */
export class JournalFile {
  private constructor(
    private readonly file: FileHandle,
    private readonly seed: number,
    private offset: number,
    /** The position of the last event in the file; -1 without events. */
    public lastPosition: number,
  ) {}

  /** Makes a file whose first group says that everything before `nextPosition` is on disk. */
  static async create(path: string, seed: number, nextPosition: number): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      for (let at = 0; at < FILE_SIZE; at += ZEROS.length)
        await file.write(ZEROS, 0, ZEROS.length, at);
      const head = Buffer.concat([headOf(seed), encodeGroup(nextPosition, [], seed)]);
      await file.write(head, 0, head.length, 0);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Opens a file for writing after the last of its groups. A damaged head is written again. */
  static async open(
    path: string,
    seed: number,
    groups: readonly FoundGroup[],
  ): Promise<JournalFile> {
    const file = await open(path, 'r+');
    await file.write(headOf(seed), 0, HEAD, 0);
    // A process that was killed may have left groups that are not yet on disk.
    await file.datasync();
    const last = groups.reduce<{ end: number; position: number }>(
      (newest, { firstPosition, records, end }) =>
        records.length > 0 && firstPosition + records.length - 1 > newest.position
          ? { end, position: firstPosition + records.length - 1 }
          : newest,
      { end: HEAD, position: -1 },
    );
    return new JournalFile(file, seed, last.end, last.position);
  }

  hasRoom(bytes: number): boolean {
    return this.offset === HEAD || this.offset + bytes + END_MARK <= FILE_SIZE;
  }

  /** Begins the file again. Its groups are no longer needed. */
  reuse(): void {
    this.offset = HEAD;
  }

  /** Writes a group to disk. */
  async write(firstPosition: number, records: readonly Buffer[]): Promise<void> {
    const group = encodeGroup(firstPosition, records, this.seed);
    this.writeAt(group, this.offset);
    await syncData(this.file.fd);
    this.offset += group.length;
    this.lastPosition = firstPosition + records.length - 1;
    // From this group without records, a start knows that the group before it was acknowledged: if that group
    // is not whole, it is damaged, not merely unfinished. It is not synced, since it proves nothing by its absence.
    this.writeAt(encodeGroup(this.lastPosition + 1, [], this.seed), this.offset);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private writeAt(bytes: Buffer, offset: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.file.fd, bytes, done, bytes.length - done, offset + done);
    }
  }
}

function headOf(seed: number): Buffer {
  const head = Buffer.alloc(HEAD);
  MAGIC.copy(head);
  head.writeUInt32BE(seed, 8);
  seal(head, 0);
  return head;
}

export interface JournalBytes {
  readonly bytes: Buffer;
  /** The seed of the node's checksums; undefined if the head is damaged or the file has another layout. */
  readonly seed: number | undefined;
  /** True if the file has its full size. */
  readonly isWhole: boolean;
}

/** Reads a journal file; a missing file has no bytes. */
export async function readJournalFile(path: string): Promise<JournalBytes> {
  const content = await readRegular(path, MAX_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const bytes =
    content.byteOffset % ALIGNMENT === 0 ? content : Buffer.from(new Uint8Array(content).buffer);
  const head = bytes.subarray(0, HEAD);
  const isHead = head.length === HEAD && head.indexOf(MAGIC) === 0 && isIntact(head, 0);
  return {
    bytes,
    seed: isHead ? head.readUInt32BE(8) : undefined,
    isWhole: bytes.length >= FILE_SIZE,
  };
}

/**
 * Returns all whole groups of a file, in the order of their places: also groups from earlier uses of the file
 * and groups after a damaged one. Only this node can have written them, because the checksums contain its seed.
 */
export function groupsIn(bytes: Buffer, seed: number): FoundGroup[] {
  const groups: FoundGroup[] = [];
  const words = new Float64Array(
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.length / ALIGNMENT),
  );
  for (let at = HEAD; at + GROUP_HEADER <= bytes.length;) {
    // Most of a file is zeros, in which no group begins.
    const group = words[at / ALIGNMENT] === 0 ? undefined : groupAt(bytes, at, seed);
    if (group) groups.push(group);
    at = group?.end ?? at + ALIGNMENT;
  }
  return groups;
}

function encodeGroup(firstPosition: number, records: readonly Buffer[], seed: number): Buffer {
  const size = groupSize(records);
  const group = Buffer.allocUnsafe(size);
  group.writeUInt32BE(size, 0);
  group.writeUInt32BE(records.length, 4);
  group.writeDoubleBE(firstPosition, 8);
  seal(group.subarray(0, GROUP_HEADER), seed);
  let at = GROUP_HEADER;
  for (const record of records) {
    at = group.writeUInt32BE(record.length, at);
    at += record.copy(group, at);
  }
  group.fill(0, at);
  return group;
}

function groupAt(bytes: Buffer, at: number, seed: number): FoundGroup | undefined {
  const size = bytes.readUInt32BE(at);
  if (size < GROUP_HEADER || at + size > bytes.length) return undefined;
  if (!isIntact(bytes.subarray(at, at + GROUP_HEADER), seed)) return undefined;
  const count = bytes.readUInt32BE(at + 4);
  const firstPosition = bytes.readDoubleBE(at + 8);
  const records: Buffer[] = [];
  let next = at + GROUP_HEADER;
  for (let index = 0; index < count; index++) {
    const start = next + 4;
    if (start > at + size) return undefined;
    next = start + bytes.readUInt32BE(next);
    if (next > at + size) return undefined;
    const record = bytes.subarray(start, next);
    if (!isRecordAt(record, firstPosition + index, seed)) return undefined;
    records.push(record);
  }
  return { firstPosition, records, isFirstInFile: at === HEAD, end: at + size };
}
