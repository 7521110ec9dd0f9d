import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database as LmdbDatabase, open, type RootDatabase } from 'lmdb';

/** A run: consecutive events of one stream that are neighbours in the log. */
export interface Run {
  readonly number: number;
  readonly position: number;
  readonly count: number;
}

/** The row that the database stores for a stream, besides the events. */
export interface StreamRow {
  /** The name of the stream; each character of this string stands for one byte of the UTF-8 name. */
  readonly name: string;
  readonly id: number;
  readonly tombstoned: boolean;
  /** The number of the first event that can still be read; infinite if the stream was deleted. */
  readonly keptFrom: number;
  readonly maxCount: number;
}

export interface Changes {
  readonly records: readonly { readonly position: number; readonly record: Buffer }[];
  readonly runs: readonly { readonly streamId: number; readonly run: Run }[];
  readonly streams: readonly StreamRow[];
  readonly nextStreamId: number;
}

const NEXT_STREAM_ID = 'next-stream-id';
const RUN_KEY = 12;
const MAX_NUMBER = 2 ** 48 - 1;

function runKey(streamId: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(RUN_KEY);
  key.writeUInt32BE(streamId, 0);
  key.writeUInt16BE(0, 4);
  key.writeUIntBE(Math.min(number, MAX_NUMBER), 6, 6);
  return key;
}

function runOf(key: Buffer, value: Buffer): Run {
  return {
    number: key.readUIntBE(6, 6),
    position: value.readDoubleBE(0),
    count: value.readUInt32BE(8),
  };
}

function encodeRow(row: StreamRow): Buffer {
  const bytes = Buffer.allocUnsafe(21);
  bytes.writeUInt32BE(row.id, 0);
  bytes[4] = row.tombstoned ? 1 : 0;
  bytes.writeDoubleBE(row.keptFrom, 5);
  bytes.writeDoubleBE(row.maxCount, 13);
  return bytes;
}

function decodeRow(name: string, bytes: Buffer): StreamRow {
  return {
    name,
    id: bytes.readUInt32BE(0),
    tombstoned: bytes[4] === 1,
    keptFrom: bytes.readDoubleBE(5),
    maxCount: bytes.readDoubleBE(13),
  };
}

/**
 * Stores the events in LMDB. Commits to disk happen in larger steps, after the journal has made the
 * events durable.
 */
export class Database {
  private readonly path: string;
  private readonly root: RootDatabase<number, string>;
  private readonly events: LmdbDatabase<Buffer, number>;
  private readonly runs: LmdbDatabase<Buffer, Buffer>;
  private readonly streams: LmdbDatabase<Buffer, Buffer>;

  constructor(folder: string) {
    this.path = join(folder, 'events.lmdb');
    this.root = open<number, string>({
      path: this.path,
      maxDbs: 8,
      compression: false,
      noMemInit: true,
      // A commit must be on disk when its promise resolves, because the journal then drops the groups
      // that the commit contains.
      overlappingSync: false,
      // All batches are explicit. The library's own batching would make promises whose failures nobody
      // handles.
      eventTurnBatching: false,
    });
    this.events = this.root.openDB({ name: 'events', encoding: 'binary' });
    this.runs = this.root.openDB({ name: 'runs', encoding: 'binary', keyEncoding: 'binary' });
    this.streams = this.root.openDB({ name: 'streams', encoding: 'binary', keyEncoding: 'binary' });
  }

  /** Returns the size of the database file in bytes. */
  sizeOnDisk(): number {
    return statSync(this.path).size;
  }

  lastPosition(): number {
    for (const position of this.events.getKeys({ reverse: true, limit: 1 })) return position;
    return 0;
  }

  nextStreamId(): number {
    return this.root.get(NEXT_STREAM_ID) ?? 1;
  }

  record(position: number): Buffer {
    const record = this.events.getBinary(position);
    if (!record) throw new Error(`The event at position ${position} is missing`);
    return record;
  }

  stream(name: string): StreamRow | undefined {
    const bytes = this.streams.getBinary(Buffer.from(name, 'latin1'));
    return bytes && decodeRow(name, bytes);
  }

  /**
   * Returns stored runs of consecutive events of a stream, forwards or backwards, from the run that
   * contains event `number`.
   */
  runsFrom(streamId: number, number: number, limit: number, backwards: boolean): Run[] {
    const [holding, ...before] = this.runsUpTo(streamId, number, backwards ? limit : 1);
    if (!holding || backwards) return holding ? [holding, ...before] : [];
    const after = this.runs.getRange({
      start: runKey(streamId, number + 1),
      end: runKey(streamId + 1, 0),
      limit,
    });
    return [holding, ...after.map(({ key, value }) => runOf(key, value))];
  }

  private runsUpTo(streamId: number, number: number, limit: number): Run[] {
    const range = this.runs.getRange({
      start: runKey(streamId, number),
      end: runKey(streamId - 1, MAX_NUMBER),
      reverse: true,
      limit,
    });
    return [...range.map(({ key, value }) => runOf(key, value))];
  }

  /** Stores all changes or none. Resolves when they are on disk. */
  async store(changes: Changes): Promise<void> {
    const stored = this.root.batch(() => {
      for (const { position, record } of changes.records) void this.events.put(position, record);
      for (const { streamId, run } of changes.runs) {
        const value = Buffer.allocUnsafe(12);
        value.writeDoubleBE(run.position, 0);
        value.writeUInt32BE(run.count, 8);
        void this.runs.put(runKey(streamId, run.number), value);
      }
      for (const row of changes.streams) {
        void this.streams.put(Buffer.from(row.name, 'latin1'), encodeRow(row));
      }
      void this.root.put(NEXT_STREAM_ID, changes.nextStreamId);
    });
    try {
      await stored;
    } catch (error) {
      throw await causeOf(error);
    }
  }

  close(): Promise<void> {
    return this.root.close();
  }
}

/** Returns the cause of a failed commit, which the library reports through a rejected promise. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> };
  return commitError ? commitError.catch((cause: unknown) => cause) : error;
}
