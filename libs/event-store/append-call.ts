import { status } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { Call } from './call.js';
import type { Link } from './connection.js';
import {
  AmbiguousAppend,
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

/** A server whose disk is full says so in its own words, under whatever code. */
const NO_ROOM =
  /no space left|disk (is )?full|not enough (disk )?space|insufficient (disk )?space|\bENOSPC\b|\bquota\b/i;

interface Waiting {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** When its time is over, on the monotonic clock. */
  readonly due: number;
  resolve(appended: Appended): void;
  reject(cause: Error): void;
}

/**
 * One BatchAppend call and the appends that wait for its answers. The client's own `appendToStream` is
 * not used: it waits for ever, and keeps what it waits for in one table for the whole process, so that a
 * failure of one connection fails the appends of all others, and the answers to those, when they come
 * after all, throw where nobody can catch them.
 */
export class AppendCall {
  /** In the order in which their time is over. */
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
    return this.#failure === undefined;
  }

  /** Every failure but a conflict and a full log leaves open whether the events were written. */
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
    const waiting = this.#taken(correlation);
    if (waiting === undefined) return; // It had timed out.
    if (error !== undefined) waiting.reject(failureOf(error, waiting));
    else waiting.resolve({ revision, position });
  }

  /** One timer serves all: whoever has waited longest is the first in the table. */
  #timedOut(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [correlation, { stream, due }] of this.#waiting) {
      if (due > now) {
        this.#timer = setTimeout(() => this.#timedOut(), due - now).unref();
        return;
      }
      this.#taken(correlation)?.reject(ambiguous(stream, `no answer in ${this.timeoutMs} ms`));
      this.onTimeout();
    }
  }

  #taken(correlation: string): Waiting | undefined {
    const waiting = this.#waiting.get(correlation);
    this.#waiting.delete(correlation);
    return waiting;
  }

  #fail(cause: Error): void {
    this.#failure ??= cause;
    clearTimeout(this.#timer);
    for (const [correlation, { stream }] of this.#waiting) {
      this.#taken(correlation)?.reject(ambiguous(stream, cause));
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
  if (code === RESOURCE_EXHAUSTED || NO_ROOM.test(message)) {
    return new LogFull(`The log has no room for an append to ${stream}`);
  }
  switch (type) {
    case WRONG_EXPECTED_VERSION:
      return new RevisionConflict(stream, expected, actual);
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.AccessDenied':
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.BadRequest':
      return new Error(`An append to ${stream} was refused: ${type}`);
    default:
      return ambiguous(stream, `${type ?? 'unnamed'}: ${message}`);
  }
}
