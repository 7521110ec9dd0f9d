import { randomUUID } from 'node:crypto';
import { Refused } from '../protocol/status.js';
import { type Changes, Database, type Run, type StreamRow } from './database.js';
import { decide, type Expected } from './decide.js';
import { Journal } from './journal.js';
import { type EventPlace, RecentIds } from './recent-ids.js';
import {
  encodeRecord,
  idIn,
  isTombstone,
  nameIn,
  numberIn,
  type ProposedEvent,
  recordedDataIn,
} from './record.js';
import { METADATA_PREFIX, parseRules, truncation } from './stream-metadata.js';
import { StreamState, type TailEntry } from './stream-state.js';

/** A requested change. `done` is called once, when its outcome is on disk. */
export interface Write {
  readonly kind: 'append' | 'delete' | 'tombstone';
  /** Each character is one byte of the name. */
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
  /** The deadline in milliseconds since 1970; the write must not happen after it. */
  readonly deadline?: number;
  readonly done: (outcome: Outcome) => void;
}

export type Outcome =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  /** `current` is -1 if the stream does not exist. */
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'tombstoned' }
  | { readonly kind: 'too-late' }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly error: Refused };

const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** The most bytes that the record format and the journal add to an event. */
const RECORD_OVERHEAD = 256;
const GROUP_SLACK = 1.25 * 1024 * 1024;
const STORE_AFTER_MS = 150;
const STORE_AFTER_BYTES = 2 * 1024 * 1024;
const STORE_MAX_RECORDS = 20_000;
const RETRY_STORE_AFTER_MS = 1_000;
const MAX_KNOWN_STREAMS = 200_000;

/**
 * The log. It decides each write, makes a group of writes durable with one journal write, and moves events
 * into the database in larger steps. Positions begin at 1 and have no gaps.
 */
export class EventLog {
  /** Everything up to this position is on disk and may be read. */
  durable: number;
  private readonly streams = new Map<string, StreamState>();
  private nextStreamId: number;
  private tail: TailEntry[] = [];
  private tailBytes = 0;
  private stored: number;
  private queue: Write[] = [];
  private isWriting = false;
  private isNotifying = false;
  private storing: Promise<boolean> | undefined;
  private storeTimer: NodeJS.Timeout | undefined;
  private isFull = false;
  /** The size of the database at its last commit. */
  private storedBytes: number;
  private isClosed = false;
  private recentIds: RecentIds | undefined;
  private readonly listeners = new Set<() => void>();

  private constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly quotaBytes: number,
    private readonly onBroken: (error: unknown) => void,
  ) {
    this.stored = database.lastPosition();
    this.storedBytes = database.sizeOnDisk();
    this.durable = this.stored;
    this.nextStreamId = database.nextStreamId();
  }

  /**
   * Opens the log. Appends are refused if they would exceed `quotaBytes`. `onBroken` is called if a journal
   * write fails: the log accepts nothing more until a restart.
   */
  static async open(
    folder: string,
    { quotaBytes, onBroken }: { quotaBytes: number; onBroken: (error: unknown) => void },
  ): Promise<EventLog> {
    const journal = await Journal.open(folder);
    const log = new EventLog(new Database(folder), journal, quotaBytes, onBroken);
    log.recover();
    return log;
  }

  write(write: Write): void {
    if (this.isClosed) {
      write.done({ kind: 'full' });
      return;
    }
    this.queue.push(write);
    if (this.isWriting) return;
    this.isWriting = true;
    // All writes of this turn of the event loop share the first group.
    setImmediate(() => void this.writeGroups());
  }

  /** Calls back soon after `durable` has moved, until the returned function is called. */
  onDurable(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  record(position: number): Buffer {
    if (position <= this.stored) return this.database.record(position);
    const entry = this.tail[position - this.tail[0]!.position];
    if (!entry) throw new Error(`The event at position ${position} is missing`);
    return entry.record;
  }

  /** Returns a stream's state; undefined if the stream was never written. */
  stream(name: string): StreamState | undefined {
    const known = this.streams.get(name);
    if (known) return known;
    const row = this.database.stream(name);
    if (!row) return undefined;
    const [run] = this.database.runsFrom(row.id, Number.MAX_SAFE_INTEGER, 1, true);
    const state = new StreamState(name, row.id, run ? run.number + run.count - 1 : -1);
    Object.assign(state, { ...row });
    this.remember(state);
    return state;
  }

  /** Returns the number of a stream's last readable event; -1 if there is none. */
  lastNumber(state: StreamState): number {
    let index = state.tail.length - 1;
    while (index >= 0 && state.tail[index]!.position > this.durable) index--;
    if (index >= 0) return state.tail[index]!.number;
    return state.tail.length > 0 ? state.tail[0]!.number - 1 : state.last;
  }

  /** Returns runs of a stream's events, from the one that contains `number`. */
  runsFrom(state: StreamState, number: number, limit: number, backwards: boolean): readonly Run[] {
    const tailFrom = state.tail[0]?.number ?? Infinity;
    if (number < tailFrom) return this.database.runsFrom(state.id, number, limit, backwards);
    const from = number - tailFrom;
    const entries = backwards
      ? state.tail.slice(Math.max(0, from + 1 - limit), from + 1).reverse()
      : state.tail.slice(from, from + limit);
    return entries.map((entry) => ({ number: entry.number, position: entry.position, count: 1 }));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.storeTimer);
    while (this.isWriting) await new Promise((resolve) => setImmediate(resolve));
    while (this.tail.length > 0 && (await this.store()));
    await this.database.close();
    await this.journal.close();
  }

  private recover(): void {
    for (const { firstPosition, records } of this.journal.recovered) {
      records.forEach((record, index) => {
        const position = firstPosition + index;
        if (position <= this.durable) return;
        if (position !== this.durable + 1) {
          throw new Error(
            `The journal begins at ${position}, the database ends at ${this.durable}`,
          );
        }
        this.recoverRecord(record, position);
        this.durable = position;
      });
    }
    if (this.tail.length > 0) this.storeSoon();
  }

  private recoverRecord(record: Buffer, position: number): void {
    const state = this.known(nameIn(record).toString('latin1'));
    const number = numberIn(record);
    if (isTombstone(record)) this.admitTombstone(state, record, position);
    else this.admit(state, record, number, position, recordedDataIn(record));
  }

  private async writeGroups(): Promise<void> {
    while (this.queue.length > 0) {
      try {
        await this.writeGroup();
      } catch (error) {
        this.isClosed = true;
        this.onBroken(error);
        return;
      }
    }
    this.isWriting = false;
  }

  private async writeGroup(): Promise<void> {
    const writes = this.takeGroup();
    const estimate = writes.reduce((sum, write) => sum + sizeOf(write), GROUP_SLACK);
    while (!this.journal.hasRoom(estimate, this.stored)) {
      if (await this.store()) continue;
      for (const write of writes) write.done({ kind: 'full' });
      return;
    }
    const first = this.durable + 1;
    const from = this.tail.length;
    const outcomes = writes.map((write) => this.perform(write));
    const records = this.tail.slice(from).map((entry) => entry.record);
    if (records.length > 0) {
      await this.journal.write(first, records, this.stored);
      this.durable = first + records.length - 1;
    }
    writes.forEach((write, index) => write.done(outcomes[index]!));
    if (records.length === 0) return;
    this.notifySoon();
    if (this.tailBytes >= STORE_AFTER_BYTES) void this.store();
    else this.storeSoon();
  }

  /** Answers to writes are sent before the subscriptions are notified. */
  private notifySoon(): void {
    if (this.isNotifying) return;
    this.isNotifying = true;
    setImmediate(() => {
      this.isNotifying = false;
      for (const listener of this.listeners) listener();
    });
  }

  private takeGroup(): Write[] {
    let bytes = 0;
    let count = 0;
    while (count < this.queue.length && (count === 0 || bytes < MAX_GROUP_BYTES)) {
      bytes += sizeOf(this.queue[count++]!);
    }
    if (count === this.queue.length) {
      const all = this.queue;
      this.queue = [];
      return all;
    }
    return this.queue.splice(0, count);
  }

  /** Decides a write after all earlier writes, and adds its events to the tail. */
  private perform(write: Write): Outcome {
    if (write.deadline !== undefined && Date.now() > write.deadline) return { kind: 'too-late' };
    try {
      const isUnbound = write.expected < -1;
      const decision = decide(write.expected, write.events, {
        state: this.stream(write.stream),
        idAt: (state, number) => idIn(this.record(this.positionOf(state, number))),
        recent: isUnbound ? (id) => this.recent().get(id) : () => undefined,
      });
      if (decision.kind === 'repeated') {
        const state = this.stream(write.stream)!;
        return {
          kind: 'written',
          revision: decision.last,
          position: decision.last < 0 ? 0 : this.positionOf(state, decision.last),
        };
      }
      if (decision.kind !== 'accepted') return decision;
      if (write.kind === 'delete') return this.truncate(write.stream, Infinity);
      if (write.kind === 'tombstone') return this.end(write.stream);
      return this.hasRoomFor(write) ? this.append(write) : { kind: 'full' };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', error };
      throw error;
    }
  }

  /** A repeated append is acknowledged even if the log is full: only new events need room. */
  private hasRoomFor(write: Write): boolean {
    const bytes = this.storedBytes + this.tailBytes + sizeOf(write);
    return !this.isFull && bytes <= this.quotaBytes;
  }

  private append(write: Write): Outcome {
    const rules = write.stream.startsWith(METADATA_PREFIX)
      ? write.events.map((event) => parseRules(event.data, { refuse: true }))
      : [];
    const existing = this.stream(write.stream);
    if (existing?.isDeleted && rules.length === 0) this.truncate(write.stream, existing.last + 1);
    const state = existing ?? this.known(write.stream);
    const name = Buffer.from(write.stream, 'latin1');
    for (const event of write.events) {
      const place = { name, number: state.last + 1, position: this.nextPosition() };
      this.admit(state, encodeRecord(event, place), place.number, place.position, event.data);
    }
    return { kind: 'written', revision: state.last, position: this.nextPosition() - 1 };
  }

  /** Hides a stream's events before `keptFrom` with a metadata event; infinite deletes the stream. */
  private truncate(stream: string, keptFrom: number): Outcome {
    const metadata = this.known(METADATA_PREFIX + stream);
    const previous =
      metadata.last < 0
        ? Buffer.alloc(0)
        : recordedDataIn(this.record(this.positionOf(metadata, metadata.last)));
    const event = truncation(randomUUID(), previous, keptFrom);
    const place = {
      name: Buffer.from(metadata.name, 'latin1'),
      number: metadata.last + 1,
      position: this.nextPosition(),
    };
    this.admit(metadata, encodeRecord(event, place), place.number, place.position, event.data);
    return { kind: 'written', revision: place.number, position: place.position };
  }

  private end(stream: string): Outcome {
    const state = this.known(stream);
    const position = this.nextPosition();
    const event = {
      id: randomUUID(),
      type: Buffer.from('$streamDeleted'),
      isJson: true,
      metadata: Buffer.alloc(0),
      data: Buffer.alloc(0),
    };
    const place = { name: Buffer.from(stream, 'latin1'), number: state.last + 1, position };
    this.admitTombstone(state, encodeRecord(event, place, { tombstone: true }), position);
    return { kind: 'written', revision: place.number, position };
  }

  private admit(
    state: StreamState,
    record: Buffer,
    number: number,
    position: number,
    data: Buffer,
  ): void {
    const rows: StreamRow[] = state.last < 0 ? [state.toRow()] : [];
    state.last = number;
    if (state.name.startsWith(METADATA_PREFIX)) {
      const target = this.known(state.name.slice(METADATA_PREFIX.length));
      Object.assign(target, parseRules(data, { refuse: false }));
      rows.push(target.toRow());
    }
    const entry = { position, stream: state, number, record, rows };
    state.tail.push(entry);
    this.push(entry);
    this.recentIds?.add(idIn(record), { stream: state.name, number });
  }

  private admitTombstone(state: StreamState, record: Buffer, position: number): void {
    state.tombstoned = true;
    this.push({ position, stream: state, number: Infinity, record, rows: [state.toRow()] });
  }

  private push(entry: TailEntry): void {
    this.tail.push(entry);
    this.tailBytes += entry.record.length;
  }

  private nextPosition(): number {
    return (this.tail.at(-1)?.position ?? this.stored) + 1;
  }

  private positionOf(state: StreamState, number: number): number {
    const [run] = this.runsFrom(state, number, 1, true);
    if (!run) throw new Error(`Event ${number} of a stream is missing`);
    return run.position + number - run.number;
  }

  private known(name: string): StreamState {
    const existing = this.stream(name);
    if (existing) return existing;
    const state = new StreamState(name, this.nextStreamId++, -1);
    this.remember(state);
    return state;
  }

  private remember(state: StreamState): void {
    this.streams.set(state.name, state);
    if (this.streams.size <= MAX_KNOWN_STREAMS) return;
    let surplus = MAX_KNOWN_STREAMS / 4;
    for (const [name, old] of this.streams) {
      if (surplus-- === 0) break;
      if (old !== state && old.tail.length === 0 && old.last >= 0) this.streams.delete(name);
    }
  }

  private recent(): RecentIds {
    if (this.recentIds) return this.recentIds;
    this.recentIds = new RecentIds();
    const last = this.nextPosition() - 1;
    for (let at = Math.max(1, last - RecentIds.capacity + 1); at <= last; at++) {
      const record = this.record(at);
      const place: EventPlace = {
        stream: nameIn(record).toString('latin1'),
        number: numberIn(record),
      };
      if (!isTombstone(record)) this.recentIds.add(idIn(record), place);
    }
    return this.recentIds;
  }

  private storeSoon(): void {
    this.storeTimer ??= setTimeout(
      () => void this.store(),
      this.isFull ? RETRY_STORE_AFTER_MS : STORE_AFTER_MS,
    );
  }

  /** Moves durable events into the database; returns false if the disk is full. */
  private store(): Promise<boolean> {
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    this.storing ??= this.storeTail().finally(() => {
      this.storing = undefined;
      if (this.tail.length > 0 && !this.isClosed) this.storeSoon();
    });
    return this.storing;
  }

  private async storeTail(): Promise<boolean> {
    const entries = this.tail
      .slice(0, STORE_MAX_RECORDS)
      .filter((entry) => entry.position <= this.durable);
    if (entries.length === 0) return true;
    try {
      await this.database.store(changesOf(entries, this.nextStreamId));
    } catch {
      this.isFull = true;
      return false;
    }
    this.isFull = false;
    this.storedBytes = this.database.sizeOnDisk();
    this.stored = entries.at(-1)!.position;
    this.tail = this.tail.slice(entries.length);
    for (const entry of entries) this.tailBytes -= entry.record.length;
    for (const state of new Set(entries.map((entry) => entry.stream))) {
      const kept = state.tail.findIndex((entry) => entry.position > this.stored);
      state.tail = kept < 0 ? [] : state.tail.slice(kept);
    }
    return true;
  }
}

const sizeOf = (write: Write): number =>
  write.events.reduce(
    (sum, event) =>
      sum +
      RECORD_OVERHEAD +
      write.stream.length +
      event.type.length +
      event.metadata.length +
      event.data.length,
    RECORD_OVERHEAD,
  );

function changesOf(entries: readonly TailEntry[], nextStreamId: number): Changes {
  const runs: { streamId: number; run: { number: number; position: number; count: number } }[] = [];
  const rows = new Map<string, StreamRow>();
  let last = runs[0];
  for (const { stream, number, position, rows: changed } of entries) {
    for (const row of changed) rows.set(row.name, row);
    if (number === Infinity) continue;
    if (
      last?.streamId === stream.id &&
      last.run.number + last.run.count === number &&
      last.run.position + last.run.count === position
    ) {
      last.run.count += 1;
    } else {
      last = { streamId: stream.id, run: { number, position, count: 1 } };
      runs.push(last);
    }
  }
  return { records: entries, runs, streams: [...rows.values()], nextStreamId };
}
