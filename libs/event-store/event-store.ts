import type { JsonObject } from '#domain/json.js';
import type { EventMetadata, RecordedEvent } from '#domain/recorded-event.js';

/** An event as it is handed to the log: `id` is the appended id of SPEC I7. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Both as JSON, where they were written out already. */
  readonly json?: EventJson;
}

/** Texts whose values are an event's data and metadata. */
export interface EventJson {
  readonly data: string;
  readonly metadata: string;
}

/** An event read back, with its place in the whole log. */
export interface LoggedEvent extends RecordedEvent {
  readonly id: string;
  /** The commit position in $all: the number behind `Mace-Position`. */
  readonly position: bigint;
}

/** What a stream must look like for an append to be taken. */
export type ExpectedRevision = 'no_stream' | number;

export interface Appended {
  /** The number of the last event that was appended. */
  readonly revision: number;
  /** Its commit position in $all. */
  readonly position: bigint;
}

export interface ReadStreamOptions {
  /** The first number to read; with `backwards`, the last one. Default: the stream's beginning, or its end. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** Only events after this position; undefined: from the beginning. */
  readonly after: bigint | undefined;
  /** Called in order, one at a time and awaited: a slow consumer slows the reading down. */
  readonly onEvents: (events: readonly LoggedEvent[]) => Promise<void>;
  /** A position that everything wanted lies at or before: moves a checkpoint over what was filtered away. */
  readonly onCheckpoint?: (position: bigint) => Promise<void>;
  /** The subscription was caught up with the end of the log. */
  readonly onCaughtUp?: () => void;
  /** It ended, by whatever cause, and is being opened again from the last position that was handled. */
  readonly onResubscribe?: (cause: unknown) => void;
  /** `onEvents` threw: the subscription has stopped and stays stopped. */
  readonly onStopped?: (cause: unknown) => void;
}

export interface Subscription {
  stop(): Promise<void>;
}

/**
 * The log. The one implementation speaks EventStoreDB's protocol; the embedded node serves the same.
 * Every method fails with `EventStoreUnavailable` when the server cannot be reached in time.
 */
export interface EventStore {
  /**
   * Appends all events or none. Fails with `RevisionConflict` when the stream is not as expected, with
   * `AmbiguousAppend` when nobody can know whether it was done, with `LogFull` when there is no room.
   * Idempotent by event id: the same events at the same expected revision are acknowledged again.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended>;
  /** Pages through a stream; a stream that does not exist is empty. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<LoggedEvent>;
  /** The last event of a stream, or undefined. One event is read. */
  lastOf(stream: string): Promise<LoggedEvent | undefined>;
  /** The commit position of the last event that is not in a `$` stream, or undefined in an empty log. */
  lastPosition(): Promise<bigint | undefined>;
  /** Follows $all without `$` streams; resubscribes with backoff whatever ends it, until stopped. */
  subscribe(options: SubscribeOptions): Subscription;
  /** Resolves when the server answers, or fails. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision | undefined,
  ) {
    super(`${stream} was expected at ${expected} and is at ${actual ?? 'another revision'}`);
  }
}

/** The log cannot be reached or did not answer in time; nothing was written. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/** An append was sent and no answer came: only reading the stream tells (SPEC I7). */
export class AmbiguousAppend extends Error {
  override readonly name = 'AmbiguousAppend';
}

/** The log's disk or quota is full (SPEC F2). */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}
