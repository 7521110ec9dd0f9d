import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { requireRegular } from '#files/regular-file.js';
import { Refused, Status } from '../protocol/status.js';
import { DamagedStore, positions } from './damage.js';
import {
  Database,
  DATABASE_FILE,
  DATABASES,
  decodePosition,
  decodeRow,
  decodeRun,
} from './database.js';
import { EventLog } from './event-log.js';
import {
  continuationOf,
  type FoundJournal,
  Journal,
  JOURNAL_FILES,
  lastIn,
  type PlacedRecord,
  readJournal,
} from './journal.js';
import { readLayout1 } from './layout-1.js';
import { BrokenTree, checkLmdbFile } from './lmdb-file.js';
import { isRecordAt, resealed } from './record.js';
import { openIfThere, readAt, scanRecords } from './record-scan.js';

export interface LogOptions {
  /** Appends that would make the stored data larger are refused. */
  readonly quotaBytes: number;
  /** Called if a write to the disk fails. The log accepts nothing more until a restart. */
  readonly onBroken: (error: unknown) => void;
  /** Receives a sentence about each thing that the start mends or converts, and about the progress of long steps. */
  readonly onNotice: (sentence: string) => void;
  /** Serves the events that are whole, refuses writes, and changes none of the store's files. */
  readonly skipDamaged: boolean;
}

/** A new store is written here and then renamed to `COMPLETE`. */
const DRAFT = 'store.draft';
/** A new store that is complete. Its files are then moved over those of the folder. */
const COMPLETE = 'store.complete';
/** The copy of the whole events that `skipDamaged` serves. */
const WHOLE_PART = 'store.whole-part';
const NOTICE_AFTER_MS = 5_000;

/**
 * Opens the log in a folder. Begins an empty store, converts a store of an earlier layout, and rebuilds a damaged
 * database from its records. Each of these writes a new store beside the old one and then moves its files into
 * place, so a kill at any time leaves a folder that the next start opens. Fails with `DamagedStore` for damage
 * that cannot be mended.
 */
export async function openLog(folder: string, options: LogOptions): Promise<EventLog> {
  await finishMove(folder);
  await rm(join(folder, WHOLE_PART), { recursive: true, force: true });
  await requireFiles(folder);
  const journal = await readJournal(folder);
  if (options.skipDamaged) return openWholePart(folder, journal, options);
  if (!journal) {
    await beginOrConvert(folder, options);
    return openLog(folder, options);
  }
  if (journal.cut) throw new DamagedStore(folder, `${join(folder, journal.cut)} is cut off.`);
  if (journal.headless) options.onNotice(`${join(folder, journal.headless)} had a damaged head.`);
  const path = join(folder, DATABASE_FILE);
  let index: Index;
  try {
    index = checkDatabase(path, journal.seed, progressOf(options, 'Checked'));
  } catch (error) {
    if (!(error instanceof BrokenTree)) throw error;
    await rebuild(folder, journal, `${path} is damaged (${error.message})`, options);
    return openLog(folder, options);
  }
  const { missing } = continuationOf(journal, index.last);
  if (missing) {
    const files = index.last === 0 ? `${path} or ${missing.path}` : missing.path;
    await rebuild(folder, journal, `${files} is damaged`, options);
    return openLog(folder, options);
  }
  return openChecked(folder, journal, index, options);
}

/** Fails with `DamagedStore` if a pipe, a device or a folder stands in place of a file. */
async function requireFiles(folder: string): Promise<void> {
  for (const name of [DATABASE_FILE, ...JOURNAL_FILES]) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    try {
      if (found !== undefined) requireRegular(path, found);
    } catch (error) {
      throw new DamagedStore(folder, `${(error as Error).message}.`, false);
    }
  }
}

async function openChecked(
  folder: string,
  found: FoundJournal,
  { nextStreamId }: Pick<Index, 'nextStreamId'>,
  { quotaBytes, onBroken }: Pick<LogOptions, 'quotaBytes' | 'onBroken'>,
): Promise<EventLog> {
  // The file contains only locks, of processes that no longer run.
  await rm(join(folder, `${DATABASE_FILE}-lock`), { force: true });
  const journal = await Journal.open(folder, found);
  const database = new Database(folder, found.seed, nextStreamId);
  const log = new EventLog(database, journal, quotaBytes, onBroken);
  await log.recover(continuationOf(found, log.durable).records);
  return log;
}

interface Index {
  /** The position of the last event in the database. */
  readonly last: number;
  readonly nextStreamId: number;
}

/**
 * Reads the whole database, without LMDB. Fails with `BrokenTree` if LMDB could not use the file, if a row is
 * damaged, or if there is a hole in the positions. Events are not checked here, but at each read.
 */
function checkDatabase(path: string, seed: number, onProgress: (events: number) => void): Index {
  let last = 0;
  let highestId = 0;
  if (!statSync(path, { throwIfNoEntry: false })?.size) return { last: 0, nextStreamId: 1 };
  checkLmdbFile(path, DATABASES, (database, key, value) => {
    if (database === 'events') {
      if (decodePosition(key) !== last + 1) throw new BrokenTree(`position ${last + 1} is missing`);
      if (++last % 10_000 === 0) onProgress(last);
    } else if (database === 'runs') {
      if (!decodeRun(key, value(), seed)) throw new BrokenTree('a list of events is damaged');
    } else {
      const row = decodeRow(key, value(), seed);
      if (!row) throw new BrokenTree('the row of a stream is damaged');
      highestId = Math.max(highestId, row.id);
    }
  });
  return { last, nextStreamId: highestId + 1 };
}

/** Makes an empty store, or converts one of an earlier layout. */
async function beginOrConvert(folder: string, options: LogOptions): Promise<void> {
  const seed = newSeed();
  const hasJournal = JOURNAL_FILES.some((name) => existsSync(join(folder, name)));
  if (!hasJournal && existsSync(join(folder, DATABASE_FILE))) {
    throw new DamagedStore(
      folder,
      `${JOURNAL_FILES.join(' and ')} are missing in ${folder}.`,
      false,
    );
  }
  const { last, records } = await readLayout1(folder, seed);
  if (hasJournal)
    options.onNotice(`Converting ${last} events in ${folder}, which have no checksums yet.`);
  await replaceStore(folder, { seed, last, records }, progressOf(options, 'Converted'));
  if (hasJournal) options.onNotice(`Converted ${last} events in ${folder}.`);
}

/**
 * Writes the store again from its records, wherever they are in its files. Fails with `DamagedStore` if one is
 * missing.
 */
async function rebuild(
  folder: string,
  journal: FoundJournal,
  finding: string,
  options: LogOptions,
): Promise<void> {
  const found = await WholeRecords.in(folder, journal, progressOf(options, 'Searched'));
  try {
    const missing = found.missing();
    if (missing) {
      const { from, to, count } = missing;
      const more = count - (to - from + 1);
      const others = more === 0 ? '' : `, and ${more} others`;
      throw new DamagedStore(folder, `${finding}: ${positions(from, to)}${others} cannot be read.`);
    }
    options.onNotice(`${finding}. Rebuilding it from the records of all ${found.last} events.`);
    const seed = newSeed();
    const store = { seed, last: found.last, records: found.records(seed) };
    await replaceStore(folder, store, progressOf(options, 'Rebuilt'));
    options.onNotice(`Rebuilt ${join(folder, DATABASE_FILE)}. No event was lost.`);
  } finally {
    await found.close();
  }
}

async function openWholePart(
  folder: string,
  journal: FoundJournal | undefined,
  options: LogOptions,
): Promise<EventLog> {
  if (!journal) {
    throw new Error(
      `The events in ${folder} have no checksums, or both journals are damaged, so it cannot be told which events are whole. Restore the folder from a backup.`,
    );
  }
  const seed = newSeed();
  const found = await WholeRecords.in(folder, journal, progressOf(options, 'Searched'));
  const part = join(folder, WHOLE_PART);
  try {
    const store = { seed, last: found.last, records: found.records(seed) };
    await writeStore(part, store, progressOf(options, 'Copied'));
  } finally {
    await found.close();
  }
  // The store takes no writes, so it needs no new ids.
  const log = await openChecked(part, (await readJournal(part))!, { nextStreamId: 1 }, options);
  // Reads up to the end find what is missing there.
  log.durable = found.last;
  const text = 'The event store was started with --skip-damaged and accepts no writes';
  log.refuseWrites(new Refused(Status.failedPrecondition, text));
  return log;
}

/** All whole records of a store, in its database and its journal. */
class WholeRecords {
  private constructor(
    /** The position of the last event that was acknowledged, as far as the files show it. */
    readonly last: number,
    private readonly oldSeed: number,
    private readonly file: FileHandle | undefined,
    private readonly inFile: ReadonlyMap<
      number,
      { readonly offset: number; readonly length: number }
    >,
    private readonly inJournal: ReadonlyMap<number, Buffer>,
  ) {}

  static async in(
    folder: string,
    journal: FoundJournal,
    onProgress: (bytes: number) => void,
  ): Promise<WholeRecords> {
    const file = await openIfThere(join(folder, DATABASE_FILE));
    const inFile = file
      ? await scanRecords(file, journal.seed, onProgress)
      : new Map<number, never>();
    const inJournal = new Map<number, Buffer>();
    for (const { firstPosition, records } of journal.groups.flat()) {
      records.forEach((record, index) => inJournal.set(firstPosition + index, record));
    }
    let last = lastIn(journal);
    for (const position of inFile.keys()) last = Math.max(last, position);
    return new WholeRecords(last, journal.seed, file, inFile, inJournal);
  }

  /** Returns the first positions that are missing, and the number of all. */
  missing(): { from: number; to: number; count: number } | undefined {
    let first: { from: number; to: number } | undefined;
    let count = 0;
    for (let position = 1; position <= this.last; position++) {
      if (this.inFile.has(position) || this.inJournal.has(position)) continue;
      count++;
      if (!first) first = { from: position, to: position };
      else if (first.to === position - 1) first.to = position;
    }
    return first && { ...first, count };
  }

  /** Returns the records in order, sealed with another seed. */
  async *records(seed: number): AsyncGenerator<PlacedRecord> {
    for (let position = 1; position <= this.last; position++) {
      const record = await this.record(position);
      if (record) yield { position, record: resealed(record, position, seed) };
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private async record(position: number): Promise<Buffer | undefined> {
    const place = this.inFile.get(position);
    if (!place) return this.inJournal.get(position);
    const record = await readAt(this.file!, place.offset, place.length);
    return isRecordAt(record, position, this.oldSeed) ? record : undefined;
  }
}

export interface NewStore {
  readonly seed: number;
  readonly last: number;
  readonly records: AsyncIterable<PlacedRecord>;
}

/** Writes a new store and moves it into the place of the folder's own. */
async function replaceStore(
  folder: string,
  store: NewStore,
  onProgress: (events: number) => void,
): Promise<void> {
  await writeStore(join(folder, DRAFT), store, onProgress);
  await rename(join(folder, DRAFT), join(folder, COMPLETE));
  await syncFolder(folder);
}

/** Writes a new store into a folder, which it empties before. The store is on disk when the promise resolves. */
export async function writeStore(
  folder: string,
  { seed, last, records }: NewStore,
  onProgress: (events: number) => void,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await Journal.create(folder, seed, last + 1);
  let failure: unknown;
  const log = new EventLog(
    new Database(folder, seed, 1),
    await Journal.open(folder, (await readJournal(folder))!),
    Infinity,
    (error) => (failure = error),
  );
  try {
    await log.recover(records, onProgress);
  } finally {
    await log.close();
  }
  if (failure !== undefined) throw failure as Error;
  await syncFolder(folder);
}

/** Moves the files of a complete new store into its folder. A move that was interrupted goes on. */
async function finishMove(folder: string): Promise<void> {
  const complete = join(folder, COMPLETE);
  if (!existsSync(complete)) return;
  const lock = `${DATABASE_FILE}-lock`;
  for (const each of [folder, complete]) await rm(join(each, lock), { force: true });
  for (const name of await readdir(complete))
    await rename(join(complete, name), join(folder, name));
  await syncFolder(folder);
  await rmdir(complete);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

export const newSeed = (): number => randomBytes(4).readUInt32BE();

/** Returns a function that gives a notice about the progress of a step, at most every few seconds. */
function progressOf({ onNotice }: LogOptions, verb: string): (count: number) => void {
  let last = Date.now();
  return (count) => {
    if (Date.now() - last < NOTICE_AFTER_MS) return;
    last = Date.now();
    onNotice(`${verb} ${count} ${verb === 'Searched' ? 'bytes' : 'events'} …`);
  };
}
