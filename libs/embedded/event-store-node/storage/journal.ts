import { type FileHandle, open } from 'node:fs/promises';
import { writeSync, fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const syncData = promisify(fdatasync);

/** A group: records with consecutive positions that are acknowledged together. */
export interface Group {
  readonly firstPosition: number;
  readonly records: readonly Buffer[];
}

/**
 * The size of each file of the journal. The journal makes an append durable with one small sequential
 * write. It has two preallocated files of this size, which it uses in turn: a file is used again when
 * the database holds all its records. The bytes of a group are: length (4) · crc32 of the rest (4) ·
 * first position (8) · count (4) · {length (4), record}…
 */
const SEGMENT_SIZE = 8 * 1024 * 1024;
const HEADER = 8;
const GROUP_HEADER = HEADER + 12;
const ZEROS = Buffer.alloc(1024 * 1024);

class Segment {
  offset = 0;
  lastPosition = -1;

  private constructor(
    private readonly file: FileHandle,
    readonly groups: Group[],
  ) {}

  static async open(path: string): Promise<Segment> {
    const file = await open(path, 'a+', 0o600).then(async (created) => {
      await created.close();
      return open(path, 'r+');
    });
    const { size } = await file.stat();
    const segment = new Segment(file, size > 0 ? readGroups(await file.readFile()) : []);
    for (const group of segment.groups) {
      segment.offset += groupSize(group.records);
      segment.lastPosition = group.firstPosition + group.records.length - 1;
    }
    for (let at = size; at < SEGMENT_SIZE; at += ZEROS.length) {
      await file.write(ZEROS, 0, Math.min(ZEROS.length, SEGMENT_SIZE - at), at);
    }
    if (size < SEGMENT_SIZE) await file.sync();
    return segment;
  }

  hasRoom(bytes: number): boolean {
    return this.offset === 0 || this.offset + bytes <= SEGMENT_SIZE;
  }

  async write(group: Buffer, lastPosition: number): Promise<void> {
    for (let done = 0; done < group.length;) {
      done += writeSync(this.file.fd, group, done, group.length - done, this.offset + done);
    }
    await syncData(this.file.fd);
    this.offset += group.length;
    this.lastPosition = lastPosition;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

export class Journal {
  private constructor(
    private current: Segment,
    private other: Segment,
    /**
     * Every intact group, in order. The database must store these groups before the journal drops them.
     */
    readonly recovered: readonly Group[],
  ) {}

  static async open(folder: string): Promise<Journal> {
    const segments = await Promise.all(
      ['journal-0', 'journal-1'].map((name) => Segment.open(join(folder, name))),
    );
    const [older, newer] = segments.sort((a, b) => a.lastPosition - b.lastPosition) as [
      Segment,
      Segment,
    ];
    const recovered = [...older.groups, ...newer.groups];
    older.groups.length = 0;
    newer.groups.length = 0;
    return new Journal(newer, older, recovered);
  }

  /**
   * True if the journal has room for a group of this size, given that the database holds everything up
   * to `stored`. If false, the database must first store more records.
   */
  hasRoom(bytes: number, stored: number): boolean {
    return this.current.hasRoom(bytes) || this.other.lastPosition <= stored;
  }

  /** Writes a group to disk. Once it resolves, the group survives a crash. */
  async write(firstPosition: number, records: readonly Buffer[], stored: number): Promise<void> {
    const group = encodeGroup(firstPosition, records);
    if (!this.current.hasRoom(group.length)) {
      if (this.other.lastPosition > stored) throw new Error('The journal has no room for a group');
      [this.current, this.other] = [this.other, this.current];
      this.current.offset = 0;
    }
    await this.current.write(group, firstPosition + records.length - 1);
  }

  async close(): Promise<void> {
    await Promise.all([this.current.close(), this.other.close()]);
  }
}

/** Returns the bytes of a group with these records. */
export const groupSize = (records: readonly Buffer[]): number =>
  records.reduce((size, record) => size + 4 + record.length, GROUP_HEADER);

function encodeGroup(firstPosition: number, records: readonly Buffer[]): Buffer {
  const group = Buffer.allocUnsafe(groupSize(records));
  group.writeUInt32BE(group.length, 0);
  group.writeDoubleBE(firstPosition, 8);
  group.writeUInt32BE(records.length, 16);
  let at = GROUP_HEADER;
  for (const record of records) {
    at = group.writeUInt32BE(record.length, at);
    at += record.copy(group, at);
  }
  group.writeUInt32BE(crc32(group.subarray(HEADER)), 4);
  return group;
}

/** Reads groups until one is incomplete or is left over from an earlier use of the file. */
function readGroups(bytes: Buffer): Group[] {
  const groups: Group[] = [];
  let expected: number | undefined;
  for (let at = 0; at + GROUP_HEADER <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length < GROUP_HEADER || at + length > bytes.length) break;
    const group = bytes.subarray(at, at + length);
    if (crc32(group.subarray(HEADER)) !== group.readUInt32BE(4)) break;
    const firstPosition = group.readDoubleBE(8);
    if (expected !== undefined && firstPosition !== expected) break;
    const records = [...recordsOf(group)];
    groups.push({ firstPosition, records });
    expected = firstPosition + records.length;
    at += length;
  }
  return groups;
}

function* recordsOf(group: Buffer): Generator<Buffer> {
  const count = group.readUInt32BE(16);
  let at = GROUP_HEADER;
  for (let index = 0; index < count; index++) {
    const length = group.readUInt32BE(at);
    yield group.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
}
