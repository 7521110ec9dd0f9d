import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Database as LmdbDatabase, open, type RootDatabase } from 'lmdb';
import { Refused } from '../protocol/status.js';
import { CHECKSUM, isIntact, seal } from './checksum.js';
import { dataLoss, eventLoss } from './damage.js';
import { isRecordAt, isTombstone, nameIn, numberIn } from './record.js';

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
  /** The age in milliseconds after which an event can no longer be read. */
  readonly maxAge: number;
}

export interface Changes {
  readonly records: readonly { readonly position: number; readonly record: Buffer }[];
  readonly runs: readonly { readonly streamId: number; readonly run: Run }[];
  readonly streams: readonly StreamRow[];
}

export const DATABASE_FILE = 'events.lmdb';
/** The databases in the file. */
export const DATABASES = ['events', 'runs', 'streams'] as const;
const RUN_KEY = 12;
const RUN_ROW = 12 + CHECKSUM;
const STREAM_ROW = 29 + CHECKSUM;
const MAX_NUMBER = 2 ** 48 - 1;

function runKey(streamId: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(RUN_KEY);
  key.writeUInt32BE(streamId, 0);
  key.writeUInt16BE(0, 4);
  key.writeUIntBE(Math.min(number, MAX_NUMBER), 6, 6);
  return key;
}

/** The checksum of a row covers its key too. */
const isRowIntact = (key: Buffer, row: Buffer, seed: number): boolean =>
  isIntact(row, crc32(key, seed));

function encodeRun({ position, count }: Run, key: Buffer, seed: number): Buffer {
  const row = Buffer.allocUnsafe(RUN_ROW);
  row.writeDoubleBE(position, 0);
  row.writeUInt32BE(count, 8);
  seal(row, crc32(key, seed));
  return row;
}

function encodeRow(row: StreamRow, key: Buffer, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(STREAM_ROW);
  bytes.writeUInt32BE(row.id, 0);
  bytes[4] = row.tombstoned ? 1 : 0;
  bytes.writeDoubleBE(row.keptFrom, 5);
  bytes.writeDoubleBE(row.maxCount, 13);
  bytes.writeDoubleBE(row.maxAge, 21);
  seal(bytes, crc32(key, seed));
  return bytes;
}

const double = Buffer.alloc(9);

/** Returns the position in a key. lmdb writes a positive number as a double, moved by four bits behind a 1. */
export function decodePosition(key: Buffer): number {
  double.fill(0);
  for (let at = 0; at < key.length && at < 9; at++) {
    double[at]! |= (key[at]! & 15) << 4;
    if (at > 0) double[at - 1]! |= key[at]! >> 4;
  }
  return key[0]! >> 4 === 1 ? double.readDoubleBE(0) : NaN;
}

/** Returns the run in a row; undefined if the row is damaged. */
export function decodeRun(key: Buffer, row: Buffer, seed: number): Run | undefined {
  if (!isRowIntact(key, row, seed)) return undefined;
  return {
    number: key.readUIntBE(6, 6),
    position: row.readDoubleBE(0),
    count: row.readUInt32BE(8),
  };
}

/** Returns the row of a stream; undefined if the row is damaged. */
export function decodeRow(key: Buffer, row: Buffer, seed: number): StreamRow | undefined {
  if (!isRowIntact(key, row, seed)) return undefined;
  return {
    name: key.toString('latin1'),
    id: row.readUInt32BE(0),
    tombstoned: row[4] === 1,
    keptFrom: row.readDoubleBE(5),
    maxCount: row.readDoubleBE(13),
    maxAge: row.readDoubleBE(21),
  };
}

const readable = (name: string): string => Buffer.from(name, 'latin1').toString('utf8');

/**
 * Stores the events in LMDB. Commits to disk happen in larger steps, after the journal has made the events durable. A
 * read checks each record and row that it returns, and fails with `Refused` (DATA_LOSS) for a damaged or missing one.
 */
export class Database {
  private readonly path: string;
  private readonly root: RootDatabase<unknown, string>;
  private readonly events: LmdbDatabase<Buffer, number>;
  private readonly runs: LmdbDatabase<Buffer, Buffer>;
  private readonly streams: LmdbDatabase<Buffer, Buffer>;

  constructor(
    folder: string,
    /** The seed of the node's checksums. */
    private readonly seed: number,
    /** The lowest id that no stream has. */
    readonly nextStreamId: number,
  ) {
    this.path = join(folder, DATABASE_FILE);
    this.root = open<unknown, string>({
      path: this.path,
      maxDbs: 8,
      compression: false,
      noMemInit: true,
      // A commit must be on disk when its promise resolves, because the journal then drops the groups
      // that the commit contains.
      overlappingSync: false,
      // All batches are explicit. The library's own batching would make promises whose failures nobody handles.
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

  record(position: number): Buffer {
    const record = this.reading(`event at position ${position}`, () =>
      this.events.getBinary(position),
    );
    if (record && isRecordAt(record, position, this.seed)) return record;
    throw this.damagedEvent(position, record);
  }

  stream(name: string): StreamRow | undefined {
    const key = Buffer.from(name, 'latin1');
    const what = `row of the stream '${readable(name)}'`;
    const bytes = this.reading(what, () => this.streams.getBinary(key));
    const row = bytes && decodeRow(key, bytes, this.seed);
    if (bytes && !row) throw dataLoss(`The ${what} is damaged in ${this.path}`);
    return row;
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
    return [holding, ...this.decoded(after)];
  }

  private runsUpTo(streamId: number, number: number, limit: number): Run[] {
    const range = this.runs.getRange({
      start: runKey(streamId, number),
      end: runKey(streamId - 1, MAX_NUMBER),
      reverse: true,
      limit,
    });
    return this.decoded(range);
  }

  private decoded(rows: Iterable<{ readonly key: Buffer; readonly value: Buffer }>): Run[] {
    return this.reading('list of the events of a stream', () => {
      const runs: Run[] = [];
      for (const { key, value } of rows) {
        const run = decodeRun(key, value, this.seed);
        if (!run) throw dataLoss(`The list of the events of a stream is damaged in ${this.path}`);
        runs.push(run);
      }
      return runs;
    });
  }

  /** Runs a read of the database. An error of the library concerns only the caller. */
  private reading<Found>(what: string, read: () => Found): Found {
    try {
      return read();
    } catch (error) {
      if (error instanceof Refused) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      throw dataLoss(`The ${what} cannot be read from ${this.path}: ${cause}`);
    }
  }

  /** Names the stream and the number of a damaged event if the rows confirm what is left of the record. */
  private damagedEvent(position: number, record: Buffer | undefined): Refused {
    const place = record && this.placeOf(record, position);
    const event = place ? `Event ${place.number} of the stream '${place.stream}'` : 'The event';
    const state = record ? 'damaged' : 'missing';
    return eventLoss(
      `${event} at position ${position} is ${state} in ${this.path}`,
      position,
      place,
    );
  }

  private placeOf(
    record: Buffer,
    position: number,
  ): { stream: string; number: number } | undefined {
    try {
      const stream = nameIn(record).toString('latin1');
      const number = numberIn(record);
      const row = isTombstone(record) ? undefined : this.stream(stream);
      const [run] = row ? this.runsFrom(row.id, number, 1, true) : [];
      const isThere = run && run.position + number - run.number === position;
      return isThere ? { stream: readable(stream), number } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores all changes or none. Resolves when they are on disk. */
  async store(changes: Changes): Promise<void> {
    const stored = this.root.batch(() => {
      for (const { position, record } of changes.records) void this.events.put(position, record);
      for (const { streamId, run } of changes.runs) {
        const key = runKey(streamId, run.number);
        void this.runs.put(key, encodeRun(run, key, this.seed));
      }
      for (const row of changes.streams) {
        const key = Buffer.from(row.name, 'latin1');
        void this.streams.put(key, encodeRow(row, key, this.seed));
      }
    });
    try {
      await stored;
    } catch (error) {
      throw await causeOf(error);
    }
  }

  /** True if a commit failed because there is no room. */
  async isFullError(error: unknown): Promise<boolean> {
    const { code } = error as { readonly code?: unknown };
    return NO_ROOM.has(code) || (isInputOutputError(error) && !(await this.hasRoomForProbe()));
  }

  private async hasRoomForProbe(): Promise<boolean> {
    const probe = `${this.path}.probe`;
    try {
      await writeFile(probe, Buffer.alloc(PROBE_BYTES), { flush: true, mode: 0o600 });
      return true;
    } catch (error) {
      return !NO_ROOM_CODES.has((error as NodeJS.ErrnoException).code);
    } finally {
      await rm(probe, { force: true });
    }
  }

  close(): Promise<void> {
    return this.root.close();
  }
}

/** The numbers of these errors: a full disk, an exhausted disk quota, a file at its size limit. */
const NO_ROOM: ReadonlySet<unknown> = new Set([28, 122, 27]);
const NO_ROOM_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** LMDB reports a write that was cut short by a full disk as an input/output error. */
const INPUT_OUTPUT_ERROR = 5;
export const isInputOutputError = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === INPUT_OUTPUT_ERROR;
const PROBE_BYTES = 1024 * 1024;

/** Returns the cause of a failed commit, which the library reports through a rejected promise. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> };
  return commitError ? commitError.catch((cause: unknown) => cause) : error;
}
