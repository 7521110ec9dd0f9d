import { status } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { Call } from './call.js';
import { isLeaderless } from './leaderless.js';
import type { Link } from './connection.js';
import {
  AmbiguousAppend,
  AppendRefused,
  type Appended,
  type EventToAppend,
  type ExpectedRevision,
  LogFull,
  RevisionConflict,
} from './event-store.js';
import {
  type AppendError,
  appendRequest,
  appendResponse,
  BATCH_APPEND,
  WRONG_EXPECTED_VERSION,
} from './protocol/batch-append.js';

const RESOURCE_EXHAUSTED: number = status.RESOURCE_EXHAUSTED;

/** Matches the errors of a full disk, which servers report with different texts and codes. */
const DISK_FULL =
  /no space left|disk (is )?full|not enough (disk )?space|insufficient (disk )?space|\bENOSPC\b|\bquota\b/i;

interface Waiting {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** The deadline, on the monotonic clock. */
  readonly due: number;
  resolve(appended: Appended): void;
  reject(cause: Error): void;
}

/**
 * One BatchAppend call and the appends that wait for its answers. It replaces `appendToStream` of the official
 * client. That method has no timeout, and it keeps the pending appends of all connections in one table: if one
 * connection fails, the appends of all others fail, and late answers throw errors that no caller can catch.
 */
export class AppendCall {
  /** The appends that wait for an answer, in the order of their deadlines. */
  readonly #waiting = new Map<string, Waiting>();
  #call: Call | undefined;
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly timeoutMs: number,
    private readonly onTimeout: () => void,
  ) {}

  static async open(link: Link, timeoutMs: number, onTimeout: () => void): Promise<AppendCall> {
    const appends = new AppendCall(timeoutMs, onTimeout);
    appends.#call = await link.open(BATCH_APPEND, {
      message: (bytes) => appends.#answered(bytes),
      ended: (failure) => appends.#fail(failure ?? new Error('the server ended the call')),
    });
    return appends;
  }

  get isUsable(): boolean {
    return this.#failure === undefined && this.#call?.isOnFormerNode === false;
  }

  /**
   * Appends the events. Only `RevisionConflict` and `LogFull` prove that nothing was written; after any
   * other failure, the events may be in the log.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const correlation = randomUUID();
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(ambiguous(stream, this.#failure));
      const deadline = Date.now() + this.timeoutMs;
      const request = appendRequest({ correlation, stream, expected, events, deadline });
      const due = performance.now() + this.timeoutMs;
      this.#waiting.set(correlation, { stream, expected, due, resolve, reject });
      this.#timer ??= setTimeout(() => this.#timedOut(), this.timeoutMs).unref();
      this.#call?.send(request);
    });
  }

  #answered(bytes: Buffer): void {
    const { correlation, error, revision, position } = appendResponse(bytes);
    const waiting = this.#remove(correlation);
    if (waiting === undefined) return; // The append has already timed out.
    if (error !== undefined) {
      const failure = failureOf(error, waiting);
      waiting.reject(failure);
      // Every further append on this node would get the same answer.
      if (isLeaderless(failure)) this.#call?.fail(failure);
    } else waiting.resolve({ revision, position });
  }

  /**
   * Handles the appends whose deadline has passed. One timer serves all appends, because the first entry
   * of the table has the earliest deadline.
   */
  #timedOut(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [correlation, { stream, due }] of this.#waiting) {
      if (due > now) {
        this.#timer = setTimeout(() => this.#timedOut(), due - now).unref();
        return;
      }
      this.#remove(correlation)?.reject(ambiguous(stream, `no answer in ${this.timeoutMs} ms`));
      this.onTimeout();
    }
  }

  #remove(correlation: string): Waiting | undefined {
    const waiting = this.#waiting.get(correlation);
    this.#waiting.delete(correlation);
    return waiting;
  }

  #fail(cause: Error): void {
    this.#failure ??= cause;
    clearTimeout(this.#timer);
    for (const [correlation, { stream }] of this.#waiting) {
      this.#remove(correlation)?.reject(ambiguous(stream, cause));
    }
  }
}

const ambiguous = (stream: string, cause: unknown): AmbiguousAppend =>
  new AmbiguousAppend(
    `It is not known whether the append to ${stream} was done: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

function failureOf(
  { code, type, actual, message }: AppendError,
  { stream, expected }: Waiting,
): Error {
  if (code === RESOURCE_EXHAUSTED || DISK_FULL.test(message)) {
    return new LogFull(`The log has no room for an append to ${stream}`);
  }
  switch (type) {
    case WRONG_EXPECTED_VERSION:
      return new RevisionConflict(stream, expected, actual);
    case 'event_store.client.AccessDenied':
      return new AppendRefused(
        `The user of the connection string may not write ${stream}. Give it its rights with: mace event-store setup`,
      );
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.BadRequest':
      return new AppendRefused(`An append to ${stream} was refused: ${type}`);
    default:
      return ambiguous(stream, `${type ?? 'unnamed'}: ${message}`);
  }
}
