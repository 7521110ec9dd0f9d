import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FolderInUse, lockFolder } from '#embedded/index.js';
import type { RefusedWrite } from './refused-write.js';

const FILE_BYTES = 8 * 1024 * 1024;
const HEADER_BYTES = 8;
const NO_RECORD = Buffer.alloc(HEADER_BYTES);
const ZEROS = Buffer.alloc(1024 * 1024);
/** Several instances on one machine may share a data directory. */
const MAX_INSTANCES = 16;

/**
 * Holds refused writes while Postgres is full too: a file of this instance, allocated in full while there was
 * space, so a full disk cannot refuse it. Each record is: length (4) · crc32 (4) · JSON; a length of zero
 * ends the records.
 */
export class QueueFile {
  private end: number;

  private constructor(
    private readonly file: FileHandle,
    private readonly unlock: () => Promise<void>,
    private kept: readonly RefusedWrite[],
  ) {
    this.end = sizeOf(kept);
  }

  /** Fails if the disk has no space for the file. */
  static async open(dataDir: string): Promise<QueueFile> {
    const { folder, unlock } = await ownFolder(dataDir);
    const path = join(folder, 'refused-writes');
    const file = await open(path, 'a').then(async (created) => {
      await created.close();
      return open(path, 'r+');
    });
    const { size } = await file.stat();
    for (let at = size; at < FILE_BYTES; at += ZEROS.length)
      await file.write(ZEROS, 0, Math.min(ZEROS.length, FILE_BYTES - at), at);
    await file.sync();
    return new QueueFile(file, unlock, recordsIn(await readFile(path)));
  }

  get entries(): readonly RefusedWrite[] {
    return this.kept;
  }

  /** Resolves after the record is on disk; false if the file is full. */
  async keep(write: RefusedWrite): Promise<boolean> {
    if (this.kept.some(({ command_id }) => command_id === write.command_id)) return true;
    const record = encode(write);
    const at = this.end;
    if (at + record.length + HEADER_BYTES > FILE_BYTES) return false;
    this.end += record.length;
    this.kept = [...this.kept, write];
    await this.file.write(record, 0, record.length, at);
    await this.file.datasync();
    return true;
  }

  /**
   * Removes records that are stored elsewhere now. The file is cleared only with the last record: a crash
   * before that brings some records back, and the queue already knows them.
   */
  async remove(commandIds: ReadonlySet<string>): Promise<void> {
    this.kept = this.kept.filter(({ command_id }) => !commandIds.has(command_id));
    if (this.kept.length > 0) return;
    this.end = 0;
    await this.file.write(NO_RECORD, 0, NO_RECORD.length, 0);
    await this.file.datasync();
  }

  async close(): Promise<void> {
    await this.file.close();
    await this.unlock();
  }
}

async function ownFolder(
  dataDir: string,
): Promise<{ readonly folder: string; readonly unlock: () => Promise<void> }> {
  for (let number = 1; ; number += 1) {
    const folder = join(dataDir, number === 1 ? 'admin-queue' : `admin-queue-${number}`);
    await mkdir(folder, { recursive: true });
    try {
      return { folder, unlock: await lockFolder(folder) };
    } catch (cause) {
      if (!(cause instanceof FolderInUse) || number === MAX_INSTANCES) throw cause;
    }
  }
}

function encode(write: RefusedWrite): Buffer {
  const json = Buffer.from(JSON.stringify(write));
  const record = Buffer.alloc(HEADER_BYTES + json.length);
  record.writeUInt32BE(json.length, 0);
  record.writeUInt32BE(crc32(json), 4);
  json.copy(record, HEADER_BYTES);
  return record;
}

const sizeOf = (writes: readonly RefusedWrite[]): number =>
  writes.reduce((size, write) => size + encode(write).length, 0);

/** Reads up to the first torn record: the process died before it acknowledged that record. */
function recordsIn(bytes: Buffer): RefusedWrite[] {
  const records: RefusedWrite[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const json = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    if (length === 0 || crc32(json) !== bytes.readUInt32BE(at + 4)) break;
    records.push(JSON.parse(json.toString('utf8')) as RefusedWrite);
    at += HEADER_BYTES + length;
  }
  return records;
}
