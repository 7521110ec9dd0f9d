import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FolderInUse, lockFolder } from '#embedded/index.js';
import type { RefusedWrite } from './refused-write.js';

const FILE_BYTES = 8 * 1024 * 1024;
const HEADER_BYTES = 8;
const NO_RECORD = Buffer.alloc(HEADER_BYTES);
const ZEROS = Buffer.alloc(1024 * 1024);
/** Instances on one machine may share a data folder. */
const MOST_INSTANCES = 16;

/**
 * Where refused writes wait while Postgres cannot take them either: a file of this instance alone, written
 * in full when there was room, so that a full disk cannot refuse it. A record is: length (4) · crc32 (4) ·
 * JSON; a length of zero ends them.
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

  /** Fails where the disk has no room for the file. */
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

  /** Resolves when it is on disk: false when the file is full. */
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
   * Forgets those that stand elsewhere by now. On disk all go together, with the last: a crash before it
   * brings some back that are known there already.
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
      if (!(cause instanceof FolderInUse) || number === MOST_INSTANCES) throw cause;
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

/** Up to the first record that is torn: the process died before it could say that it was kept. */
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
