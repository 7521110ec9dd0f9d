import type { JsonObject } from '#domain/json.js';
import type { ServerClock } from './server-clock.js';
import type { EventMetadata, RecordedEvent } from '#domain/recorded-event.js';

/** An event to append. Its `id` is the appended id of SPEC I7. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Data and metadata as JSON texts, if the caller has already made them. */
  readonly json?: EventJson;
}

export interface EventJson {
  readonly data: string;
  readonly metadata: string;
}

export interface LoggedEvent extends RecordedEvent {
  readonly id: string;
  /** The commit position in $all, as in `Mace-Position`. */
  readonly position: bigint;
  /**
   * The texts of data and metadata as the log stores them, only in events of a subscription. A consumer that
   * keeps events removes the texts once it has checked them.
   */
  json?: EventJson | undefined;
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
  /**
   * The number of the event at which the read begins. By default, a read begins at the stream's first
   * event, or with `backwards` at its last event.
   */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** The position after which events are delivered; undefined means from the beginning. */
  readonly after: bigint | undefined;
  /**
   * Called with the events in order. The next call waits for the promise of the previous call, so a slow
   * consumer slows the subscription down.
   */
  readonly onEvents: (events: readonly LoggedEvent[]) => Promise<void>;
  /**
   * Called when every matching event up to this position has been delivered. A checkpoint can then move
   * past events that the filter skipped.
   */
  readonly onCheckpoint?: (position: bigint) => Promise<void>;
  /** Called when the subscription has reached the end of the log. */
  readonly onCaughtUp?: () => void;
  /** Called when the subscription has ended for any reason. It is opened again after the last handled position. */
  readonly onResubscribe?: (cause: unknown) => void;
  /**
   * Called if `onEvents` or `onCheckpoint` failed, or with `NoSuchPosition` if the log has no such position to go
   * on from. The subscription has then stopped for good.
   */
  readonly onStopped?: (cause: unknown) => void;
}

export interface Subscription {
  stop(): Promise<void>;
}

/**
 * The log. The only implementation speaks EventStoreDB's protocol, which the embedded node also serves.
 * Every method fails with `EventStoreUnavailable` if the server does not answer in time, and a read with
 * `DamagedEvent` if the embedded node finds an event damaged.
 */
export interface EventStore {
  /**
   * A number that rises whenever the connection was lost or has changed. The server may then have come back
   * with another log, such as a restored backup, so what was read before must be compared with the log.
   */
  readonly epoch: number;
  /** How far this process's clock is ahead of the server's. While it is too far ahead, every append fails with `ClockAhead`. */
  readonly clock: Pick<ServerClock, 'aheadMs' | 'isAhead'>;
  /**
   * Appends all events or none. Fails with `RevisionConflict` if the stream is not at the expected revision, with
   * `AmbiguousAppend` if the outcome is unknown, and with `LogFull` if the log is full. Appends are idempotent by
   * event id: the same events at the same expected revision are acknowledged again.
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
  /** Returns the commit position of the last event outside the `$` streams; undefined if the log is empty. */
  lastPosition(): Promise<bigint | undefined>;
  /**
   * Subscribes to $all without the `$` streams. After any failure it subscribes again, with growing
   * delays, until it is stopped.
   */
  subscribe(options: SubscribeOptions): Subscription;
  /**
   * Reads the event at a position; undefined if none outside the `$` streams stands there. Fails with `NoSuchPosition` if
   * the log has no position at this number, which the embedded node knows of every number, and other servers of those
   * before the log's end.
   */
  eventAt(position: bigint): Promise<LoggedEvent | undefined>;
  /** Resolves if the server answers, and fails otherwise. */
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

/** Thrown if the log does not answer in time and nothing was written. */
export class EventStoreUnavailable extends Error {
  override readonly name: string = 'EventStoreUnavailable';
}

/** Thrown by an append while the clock of this process is ahead of the server's. Nothing was written. */
export class ClockAhead extends EventStoreUnavailable {
  override readonly name = 'ClockAhead';

  constructor(aheadMs: number) {
    super(
      `The clock of this machine is ${Math.round(aheadMs / 1_000)} s ahead of the event store’s.`,
    );
  }
}

/** Thrown if an append was sent and no answer came. Only a read of the stream shows the outcome (SPEC I7). */
export class AmbiguousAppend extends Error {
  override readonly name = 'AmbiguousAppend';
}

/** Thrown if the server refused an append for good, such as one without the right to write. Nothing was written. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** Thrown if the log has no such position: the position comes from another log, or from before a copy of this one. */
export class NoSuchPosition extends Error {
  override readonly name = 'NoSuchPosition';
  constructor(
    readonly position: bigint,
    options?: ErrorOptions,
  ) {
    super(
      `The log has no position ${position}. It comes from another log, or from before this one was copied to this server; begin again without it.`,
      options,
    );
  }
}

/** Thrown if the disk or the quota of the log is full (SPEC F2). */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}

/**
 * Thrown by a read that meets an event which is damaged in the files of the embedded node. Other events can
 * be read.
 */
export class DamagedEvent extends EventStoreUnavailable {
  override readonly name = 'DamagedEvent';
  constructor(
    message: string,
    readonly position: bigint,
    /** The stream and number of the event; undefined if they are not known. */
    readonly event: { readonly stream: string; readonly number: number } | undefined,
  ) {
    super(message);
  }
}
