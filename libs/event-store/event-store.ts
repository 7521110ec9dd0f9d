import type { JsonObject } from '#domain/json.js';
import type { EventMetadata, RecordedEvent } from '#domain/recorded-event.js';

/** An event for the log: `id` is the appended id of SPEC I7. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Data and metadata as JSON, if they are already serialised. */
  readonly json?: EventJson;
}

/** The JSON texts of an event's data and metadata. */
export interface EventJson {
  readonly data: string;
  readonly metadata: string;
}

/** An event from the log, with its position in $all. */
export interface LoggedEvent extends RecordedEvent {
  readonly id: string;
  /** The commit position in $all, as in `Mace-Position`. */
  readonly position: bigint;
}

/** The required revision of a stream for an append. */
export type ExpectedRevision = 'no_stream' | number;

export interface Appended {
  /** The number of the last appended event. */
  readonly revision: number;
  /** The commit position of the last appended event in $all. */
  readonly position: bigint;
}

export interface ReadStreamOptions {
  /** The first number to read; with `backwards`, the last one. Default: the stream's beginning or its end. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** Only events after this position; undefined: from the beginning. */
  readonly after: bigint | undefined;
  /** Called in order, one call at a time and awaited: a slow consumer slows the subscription down. */
  readonly onEvents: (events: readonly LoggedEvent[]) => Promise<void>;
  /**
   * Called when every matching event up to this position has been delivered, so that a checkpoint can move
   * past events that the filter skipped.
   */
  readonly onCheckpoint?: (position: bigint) => Promise<void>;
  /** Called when the subscription has reached the end of the log. */
  readonly onCaughtUp?: () => void;
  /** Called when the subscription ended for any reason; it is reopened after the last handled position. */
  readonly onResubscribe?: (cause: unknown) => void;
  /** `onEvents` or `onCheckpoint` failed: the subscription has stopped for good. */
  readonly onStopped?: (cause: unknown) => void;
}

export interface Subscription {
  stop(): Promise<void>;
}

/**
 * The log. The only implementation uses EventStoreDB's protocol, which the embedded node serves too. Every
 * method fails with `EventStoreUnavailable` if the server cannot be reached in time.
 */
export interface EventStore {
  /**
   * Appends all events or none. Fails with `RevisionConflict` if the stream is not at the expected revision,
   * with `AmbiguousAppend` if the outcome is unknown, with `LogFull` if the log is full. Idempotent by event
   * id: the same events at the same expected revision are acknowledged again.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended>;
  /** Reads a stream in pages; a missing stream is empty. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<LoggedEvent>;
  /** Reads the last event of a stream; undefined if the stream is empty. */
  lastOf(stream: string): Promise<LoggedEvent | undefined>;
  /** Returns the commit position of the last event outside `$` streams; undefined if the log is empty. */
  lastPosition(): Promise<bigint | undefined>;
  /** Subscribes to $all without `$` streams; resubscribes with backoff after any failure, until stopped. */
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

/** An append was sent, but no answer arrived: only a read of the stream shows the outcome (SPEC I7). */
export class AmbiguousAppend extends Error {
  override readonly name = 'AmbiguousAppend';
}

/** The log's disk or quota is full (SPEC F2). */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}
