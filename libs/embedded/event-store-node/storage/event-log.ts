import { randomUUID } from 'node:crypto';
import { Refused, refusalOf, Status } from '../protocol/status.js';
import { dataLoss, eventLoss } from './damage.js';
import {
  type Changes,
  type Database,
  isInputOutputError,
  type Run,
  type StreamRow,
} from './database.js';
import { decide, decideRemoval, type Expected } from './decide.js';
import { type Journal, type PlacedRecord } from './journal.js';
import { groupSize } from './journal-file.js';
import { type PlannedEvent, PlannedEvents } from './planned-events.js';
import { type EventPlace, RecentIds } from './recent-ids.js';
import {
  createdIn,
  idIn,
  isTombstone,
  nameIn,
  numberIn,
  type ProposedEvent,
  recordedDataIn,
} from './record.js';
import {
  deletion,
  describedBy,
  METADATA_PREFIX,
  parseRules,
  recreation,
} from './stream-metadata.js';
import { StreamState, type TailEntry } from './stream-state.js';

/** A requested change. `done` is called once, when the outcome is on disk. */
export interface Write {
  readonly kind: 'append' | 'delete' | 'tombstone';
  /** The stream's name; each character of this string stands for one byte of the UTF-8 name. */
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
  /** The deadline in milliseconds since 1970. After it, the write must not happen. */
  readonly deadline?: number;
  readonly done: (outcome: Outcome) => void;
}

export type Outcome =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  /** `current` is the stream's last revision; -1 if the stream does not exist. */
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'tombstoned' }
  | { readonly kind: 'too-late' }
  | { readonly kind: 'full' }
  | { readonly kind: 'refused'; readonly error: Refused };

const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/** The maximum bytes that the record format and the journal add to an event. */
const RECORD_OVERHEAD = 256;
const GROUP_SLACK = 1.25 * 1024 * 1024;
const STORE_AFTER_MS = 150;
const STORE_AFTER_BYTES = 2 * 1024 * 1024;
const STORE_MAX_RECORDS = 20_000;
const RETRY_STORE_AFTER_MS = 1_000;
const MAX_KNOWN_STREAMS = 200_000;

/**
 * The log. It decides each write, makes a group of writes durable with one write to the journal, and
 * moves events into the database in larger steps. Positions begin with 1 and have no gaps.
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
  /** True after an input/output error that followed a full disk. */
  private hasLateError = false;
  /** The size of the database at its last commit. */
  private storedBytes: number;
  /** The refusal of every write; undefined while the log accepts writes. */
  private refusal: Refused | undefined;
  private recentIds: RecentIds | undefined;
  private readonly listeners = new Set<() => void>();

  /**
   * Appends that would exceed `quotaBytes` are refused. If a write to the disk fails for another reason than a
   * full disk, `onBroken` is called, and the log accepts nothing more until a restart.
   */
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly quotaBytes: number,
    private readonly onBroken: (error: unknown) => void,
  ) {
    this.stored = database.lastPosition();
    this.storedBytes = database.sizeOnDisk();
    this.durable = this.stored;
    this.nextStreamId = database.nextStreamId;
  }

  /**
   * Adds records that are already durable, in the order of their positions, before the first write. Those of the journal
   * stay in memory while the disk is full, so that they can be read.
   * @param onStored for the records of another store, called with the last position after each step that is stored in
   * the database. They are too many for the memory, so a full disk is an error.
   */
  async recover(
    records: Iterable<PlacedRecord> | AsyncIterable<PlacedRecord>,
    onStored?: (position: number) => void,
  ): Promise<void> {
    for await (const { position, record } of records) {
      this.recoverRecord(record, position);
      this.durable = position;
      const isMuch = this.tail.length >= STORE_MAX_RECORDS || this.tailBytes >= MAX_GROUP_BYTES;
      if (this.isFull || !isMuch) continue;
      if (await this.store()) onStored?.(position);
      else if (onStored !== undefined) throw new Error('The disk is full');
    }
    if (this.tail.length > 0) this.storeSoon();
  }

  refuseWrites(refusal: Refused): void {
    this.refusal ??= refusal;
  }

  write(write: Write): void {
    if (this.refusal) {
      write.done({ kind: 'refused', error: this.refusal });
      return;
    }
    this.queue.push(write);
    if (this.isWriting) return;
    this.isWriting = true;
    // All writes of this turn of the event loop go into the first group.
    setImmediate(() => void this.writeGroups());
  }

  /** Calls the listener soon after `durable` has moved, until the returned function is called. */
  onDurable(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  record(position: number): Buffer {
    if (position <= this.stored) return this.database.record(position);
    const entry = this.tail[position - this.stored - 1];
    if (entry?.position !== position) {
      throw eventLoss(`The event at position ${position} is missing`, position);
    }
    return entry.record;
  }

  /** Returns a stream's state; undefined if nothing was ever written to the stream. */
  stream(name: string): StreamState | undefined {
    const known = this.streams.get(name);
    if (known) return known;
    const row = this.database.stream(name);
    if (!row) return undefined;
    const [run] = this.database.runsFrom(row.id, Number.MAX_SAFE_INTEGER, 1, true);
    const state = new StreamState(name, row.id, run ? run.number + run.count - 1 : -1);
    state.tombstoned = row.tombstoned;
    const { keptFrom, maxCount, maxAge } = row;
    state.rules = { keptFrom, maxCount, maxAge };
    this.remember(state);
    return state;
  }

  /** True if the stream has ended for good. A stream's metadata ends with the stream. */
  isTombstoned(name: string): boolean {
    const ended = this.tombstonedState(name);
    return ended !== undefined && (ended.tombstonedAt ?? 0) <= this.durable;
  }

  /** Returns the number of a stream's last readable event; -1 if no event can be read. */
  lastNumber(state: StreamState): number {
    let index = state.tail.length - 1;
    while (index >= 0 && state.tail[index]!.position > this.durable) index--;
    if (index >= 0) return state.tail[index]!.number;
    return state.tail.length > 0 ? state.tail[0]!.number - 1 : state.last;
  }

  /**
   * Returns the number of the first event that the stream's metadata lets a reader see, if `last` is the
   * stream's last event.
   */
  firstNumber(state: StreamState, last: number): number {
    const { keptFrom, maxCount, maxAge } = state.rules;
    let first = Math.max(keptFrom, last + 1 - maxCount, 0);
    if (maxAge === Infinity) return first;
    const since = Date.now() - maxAge;
    for (let after = last + 1; first < after;) {
      const middle = Math.floor((first + after) / 2);
      const created = createdIn(this.recordOf(state, middle));
      if (created < since) first = middle + 1;
      else after = middle;
    }
    return first;
  }

  /** Returns a stream's event with this number, which the stream must have. */
  recordOf(state: StreamState, number: number): Buffer {
    return this.record(this.positionOf(state, number));
  }

  /** Returns runs of a stream's events, starting with the run that contains `number`. */
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
    this.refuseWrites(new Refused(Status.unavailable, 'The event store is stopping'));
    clearTimeout(this.storeTimer);
    while (this.isWriting) await new Promise((resolve) => setImmediate(resolve));
    while (this.tail.length > 0 && (await this.store()));
    await this.database.close();
    await this.journal.close();
  }

  private recoverRecord(record: Buffer, position: number): void {
    const stream = this.known(nameIn(record).toString('latin1'));
    const number = isTombstone(record) ? Infinity : numberIn(record);
    const ruled = this.ruledBy(stream, recordedDataIn(record));
    this.admit({ stream, number, position, record, ruled });
  }

  private async writeGroups(): Promise<void> {
    while (this.queue.length > 0) {
      try {
        await this.writeGroup();
      } catch (error) {
        this.break(error);
        return;
      }
    }
    this.isWriting = false;
  }

  /** Stops the log after a failed write. What is not yet acknowledged stays unanswered. */
  private break(cause: unknown): void {
    const text = 'The event store has stopped, because a write to its disk failed';
    this.refuseWrites(new Refused(Status.unavailable, text));
    this.onBroken(cause);
  }

  private async writeGroup(): Promise<void> {
    const writes = this.takeGroup();
    const estimate = writes.reduce((sum, write) => sum + sizeOf(write), GROUP_SLACK);
    while (!this.journal.hasRoom(estimate, this.stored)) {
      if (await this.store()) continue;
      const error = this.refusal;
      for (const write of writes) write.done(error ? { kind: 'refused', error } : { kind: 'full' });
      return;
    }
    const first = this.durable + 1;
    const from = this.tail.length;
    const outcomes = writes.map((write) => this.perform(write));
    const records = this.tail.slice(from).map((entry) => entry.record);
    if (records.length > 0) {
      await this.makeRoomFor(records);
      await this.journal.write(first, records, this.stored);
      this.durable = first + records.length - 1;
    }
    writes.forEach((write, index) => write.done(outcomes[index]!));
    if (records.length === 0) return;
    this.notifySoon();
    if (this.tailBytes >= STORE_AFTER_BYTES) void this.store();
    else this.storeSoon();
  }

  /** Metadata that recreates streams may make a group larger than the estimate before it. */
  private async makeRoomFor(records: readonly Buffer[]): Promise<void> {
    while (!this.journal.hasRoom(groupSize(records), this.stored)) {
      if (!(await this.store())) throw new Error('The disk is full');
    }
  }

  /** Notifies the subscriptions after the answers to the writes are sent. */
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

  /**
   * Decides a write after all earlier writes, and adds its events to the tail. An error in it is the
   * failure of this write alone.
   */
  private perform(write: Write): Outcome {
    if (isTooLate(write)) return { kind: 'too-late' };
    try {
      const { kind, stream, expected, events } = write;
      const isUnbound = expected < -1;
      const known = {
        state: this.stream(stream),
        isTombstoned: this.tombstonedState(stream) !== undefined,
        hasMetadata: () => (this.stream(METADATA_PREFIX + stream)?.last ?? -1) >= 0,
        idAt: (state: StreamState, number: number) => idIn(this.recordOf(state, number)),
        recent: isUnbound ? (id: string) => this.recent().get(id) : () => undefined,
      };
      const decision =
        kind === 'append' ? decide(expected, events, known) : decideRemoval(kind, expected, known);
      if (decision.kind === 'repeated') {
        const state = this.stream(stream)!;
        return {
          kind: 'written',
          revision: decision.last,
          position: decision.last < 0 ? 0 : this.positionOf(state, decision.last),
        };
      }
      if (decision.kind !== 'accepted') return decision;
      if (kind === 'delete') return this.delete(stream);
      if (kind === 'tombstone') return this.tombstone(stream);
      return this.hasRoomFor(write) ? this.append(write) : { kind: 'full' };
    } catch (error) {
      return { kind: 'refused', error: refusalOf(error) };
    }
  }

  /**
   * True if the log has room for the write. A repeated append needs no room and is acknowledged even if
   * the log is full.
   */
  private hasRoomFor(write: Write): boolean {
    const bytes = this.storedBytes + this.tailBytes + sizeOf(write);
    return !this.isFull && bytes <= this.quotaBytes;
  }

  private append({ stream: name, events }: Write): Outcome {
    if (describedBy(name) !== undefined) {
      for (const { data } of events) parseRules(data, { refuse: true });
    }
    const state = this.known(name);
    const planned = this.newPlan();
    for (const event of events) planned.add(state, event);
    const outcome = this.written(planned, state);
    this.planRecreation(planned, state);
    this.admitAll(planned);
    return outcome;
  }

  /**
   * A deleted stream exists again after its next event, and after its next metadata. As in EventStoreDB,
   * further metadata keeps the old events hidden.
   */
  private planRecreation(planned: PlannedEvents, state: StreamState): void {
    const described = describedBy(state.name);
    const target = described === undefined ? state : this.known(described);
    if (!target.isDeleted) return;
    const metadata = this.known(METADATA_PREFIX + target.name);
    const newest = planned.newest(metadata);
    const previous = newest ? recordedDataIn(newest.record) : this.metadataOf(target.name);
    planned.add(metadata, recreation(previous, target.last + 1));
  }

  private delete(name: string): Outcome {
    const metadata = this.known(METADATA_PREFIX + name);
    const planned = this.newPlan();
    planned.add(metadata, deletion());
    this.admitAll(planned);
    return this.written(planned, metadata);
  }

  private tombstone(name: string): Outcome {
    const state = this.known(name);
    const planned = this.newPlan();
    planned.addTombstone(state, {
      id: randomUUID(),
      type: Buffer.from('$streamDeleted'),
      isJson: true,
      metadata: Buffer.alloc(0),
      data: Buffer.alloc(0),
    });
    this.admitAll(planned);
    return this.written(planned, state);
  }

  private newPlan(): PlannedEvents {
    return new PlannedEvents(this.nextPosition(), this.journal.seed, (stream, data) =>
      this.ruledBy(stream, data),
    );
  }

  private written(planned: PlannedEvents, state: StreamState): Outcome {
    return {
      kind: 'written',
      revision: planned.lastNumber(state),
      position: planned.lastPosition,
    };
  }

  private ruledBy(stream: StreamState, data: Buffer): PlannedEvent['ruled'] {
    const described = describedBy(stream.name);
    if (described === undefined) return undefined;
    return { stream: this.known(described), rules: parseRules(data, { refuse: false }) };
  }

  private admitAll(planned: PlannedEvents): void {
    for (const event of planned.events) this.admit(event);
  }

  private admit({ stream, number, position, record, ruled }: PlannedEvent): void {
    const rows: StreamRow[] = [];
    const entry = { position, stream, number, record, rows };
    if (number === Infinity) {
      stream.tombstoned = true;
      stream.tombstonedAt = position;
      stream.rowChangedAt = position;
      rows.push(stream.toRow());
    } else {
      if (stream.last < 0) {
        stream.rowChangedAt = position;
        rows.push(stream.toRow());
      }
      stream.last = number;
      stream.tail.push(entry);
      this.recentIds?.add(idIn(record), { stream: stream.name, number });
    }
    if (ruled) {
      ruled.stream.rules = ruled.rules;
      ruled.stream.rowChangedAt = position;
      rows.push(ruled.stream.toRow());
    }
    this.tail.push(entry);
    this.tailBytes += record.length;
  }

  private nextPosition(): number {
    return (this.tail.at(-1)?.position ?? this.stored) + 1;
  }

  private positionOf(state: StreamState, number: number): number {
    const [run] = this.runsFrom(state, number, 1, true);
    if (!run || number >= run.number + run.count) throw missingEvent(state, number);
    return run.position + number - run.number;
  }

  /** Returns the data of a stream's newest metadata; empty if the stream has none. */
  private metadataOf(name: string): Buffer {
    const isMetadata = describedBy(name) !== undefined;
    const metadata = isMetadata ? undefined : this.stream(METADATA_PREFIX + name);
    if (!metadata || metadata.last < 0) return Buffer.alloc(0);
    return recordedDataIn(this.recordOf(metadata, metadata.last));
  }

  /** Returns the tombstoned stream with this name, or the tombstoned stream whose metadata it holds. */
  private tombstonedState(name: string): StreamState | undefined {
    const own = this.stream(name);
    if (own?.tombstoned) return own;
    const described = describedBy(name);
    return described === undefined ? undefined : this.tombstonedState(described);
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
      const isStored = old.tail.length === 0 && old.rowChangedAt <= this.stored;
      if (old !== state && isStored && old.last >= 0) this.streams.delete(name);
    }
  }

  private recent(): RecentIds {
    if (this.recentIds) return this.recentIds;
    const recentIds = new RecentIds();
    const last = this.nextPosition() - 1;
    for (let at = Math.max(1, last - RecentIds.capacity + 1); at <= last; at++) {
      const record = this.wholeRecord(at);
      if (!record) continue;
      const place: EventPlace = {
        stream: nameIn(record).toString('latin1'),
        number: numberIn(record),
      };
      if (!isTombstone(record)) recentIds.add(idIn(record), place);
    }
    this.recentIds = recentIds;
    return recentIds;
  }

  /** Returns a record; undefined if it is damaged. */
  private wholeRecord(position: number): Buffer | undefined {
    try {
      return this.record(position);
    } catch (error) {
      if (error instanceof Refused && error.code === Status.dataLoss) return undefined;
      throw error;
    }
  }

  private storeSoon(): void {
    this.storeTimer ??= setTimeout(
      () => void this.store(),
      this.isFull ? RETRY_STORE_AFTER_MS : STORE_AFTER_MS,
    );
  }

  /** Moves durable events into the database. Returns false if the disk is full. */
  private store(): Promise<boolean> {
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    this.storing ??= this.storeTail().finally(() => {
      this.storing = undefined;
      if (this.tail.length > 0 && !this.refusal) this.storeSoon();
    });
    return this.storing;
  }

  /**
   * True if a commit failed because there was no room. The system may report what could not be written on a full disk
   * as an input/output error of a later commit, once, although there is room again. The commit is then tried again: it
   * writes all of its pages anew, and the journal has its events.
   */
  private async hadNoRoom(error: unknown): Promise<boolean> {
    if (await this.database.isFullError(error)) return true;
    const isLate = this.isFull && !this.hasLateError && isInputOutputError(error);
    this.hasLateError = isLate;
    return isLate;
  }

  private async storeTail(): Promise<boolean> {
    const entries = this.tail
      .slice(0, STORE_MAX_RECORDS)
      .filter((entry) => entry.position <= this.durable);
    if (entries.length === 0) return true;
    try {
      await this.database.store(changesOf(entries));
    } catch (error) {
      if (!(await this.hadNoRoom(error))) this.break(error);
      this.isFull = true;
      return false;
    }
    this.isFull = false;
    this.hasLateError = false;
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

/** Makes the refusal of a read of an event that is not where the stream's rows should name it. */
export const missingEvent = ({ name }: StreamState, number: number): Refused =>
  dataLoss(`Event ${number} of the stream '${Buffer.from(name, 'latin1').toString()}' is missing`);

export const isTooLate = ({ deadline }: Pick<Write, 'deadline'>): boolean =>
  deadline !== undefined && Date.now() > deadline;

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

function changesOf(entries: readonly TailEntry[]): Changes {
  const runs: { streamId: number; run: { number: number; position: number; count: number } }[] = [];
  const rows = new Map<string, StreamRow>();
  let last: (typeof runs)[number] | undefined;
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
  return { records: entries, runs, streams: [...rows.values()] };
}
