import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUse, lockFolder, privateFolder } from '#embedded/index.js';
import {
  encodeRefusedWrite,
  HEADER_BYTES,
  QUEUE_FILE,
  queueFolder,
  type RefusedWrite,
  refusedWritesIn,
} from '#platform/storage-queue/refused-writes.js';

const FILE_BYTES = 8 * 1024 * 1024;
/** The most bytes of one caller's records, so that nobody uses up the room of others. */
const CALLER_BYTES = FILE_BYTES / 4;
const NO_RECORD = Buffer.alloc(HEADER_BYTES);
const ZEROS = Buffer.alloc(1024 * 1024);
/** How many instances on one machine may share a data directory. */
const MAX_INSTANCES = 16;

/**
 * Keeps refused writes while Postgres is full as well. Each instance allocates its file in advance,
 * while the disk has space, so a disk that is full later cannot prevent a write to the file.
 */
export class QueueFile {
  private end: number;
  /** The bytes of each kept record. */
  private readonly sizes: WeakMap<RefusedWrite, number>;

  private constructor(
    private readonly file: FileHandle,
    private readonly unlock: () => Promise<void>,
    private kept: readonly RefusedWrite[],
  ) {
    this.sizes = new WeakMap(kept.map((write) => [write, encodeRefusedWrite(write).length]));
    this.end = this.sizeOf(kept);
  }

  /** Opens this instance's file. Fails if the disk has no space for it. */
  static async open(dataDir: string): Promise<QueueFile> {
    const { folder, unlock } = await ownFolder(dataDir);
    return QueueFile.openIn(folder, unlock);
  }

  /** Opens, one after the other, the files of instances that shared the data directory and have ended. */
  static async *ofEndedInstances(dataDir: string): AsyncGenerator<QueueFile> {
    for (let number = 1; number <= MAX_INSTANCES; number += 1) {
      const folder = folderOf(dataDir, number);
      if (!existsSync(folder)) return;
      const unlock = await lockFolder(folder).catch(() => undefined);
      if (unlock === undefined) continue;
      const file = await QueueFile.openIn(folder, unlock);
      try {
        yield file;
      } finally {
        await file.close();
      }
    }
  }

  private static async openIn(folder: string, unlock: () => Promise<void>): Promise<QueueFile> {
    const path = join(folder, QUEUE_FILE);
    const file = await open(path, 'a', 0o600).then(async (created) => {
      await created.close();
      return open(path, 'r+');
    });
    const { size } = await file.stat();
    for (let at = size; at < FILE_BYTES; at += ZEROS.length)
      await file.write(ZEROS, 0, Math.min(ZEROS.length, FILE_BYTES - at), at);
    await file.sync();
    return new QueueFile(file, unlock, refusedWritesIn(await readFile(path)));
  }

  get entries(): readonly RefusedWrite[] {
    return this.kept;
  }

  /** Adds a record. Resolves with true when it is on disk, and with false if the file or the caller's share is full. */
  async keep(write: RefusedWrite): Promise<boolean> {
    if (this.kept.some(({ command_id }) => command_id === write.command_id)) return true;
    const record = encodeRefusedWrite(write);
    const at = this.end;
    if (at + record.length + HEADER_BYTES > FILE_BYTES) return false;
    const own = this.kept.filter(({ caller }) => caller === write.caller);
    if (this.sizeOf(own) + record.length > CALLER_BYTES) return false;
    this.sizes.set(write, record.length);
    this.end += record.length;
    this.kept = [...this.kept, write];
    await this.file.write(record, 0, record.length, at);
    await this.file.datasync();
    return true;
  }

  /**
   * Removes records that are now stored elsewhere. The file is cleared only when its last record is
   * removed. If the process crashes before that, some removed records reappear, and the queue recognises
   * them as duplicates.
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

  private sizeOf(writes: readonly RefusedWrite[]): number {
    return writes.reduce((size, write) => size + (this.sizes.get(write) ?? 0), 0);
  }
}

const folderOf = (dataDir: string, number: number): string => join(dataDir, queueFolder(number));

async function ownFolder(
  dataDir: string,
): Promise<{ readonly folder: string; readonly unlock: () => Promise<void> }> {
  for (let number = 1; ; number += 1) {
    const folder = folderOf(dataDir, number);
    await privateFolder(folder);
    try {
      return { folder, unlock: await lockFolder(folder) };
    } catch (cause) {
      if (!(cause instanceof FolderInUse) || number === MAX_INSTANCES) throw cause;
    }
  }
}
