import { status } from '@grpc/grpc-js';
import type { Call, Replies } from './call.js';
import type { Link } from './connection.js';
import { DamagedEvent, EventStoreUnavailable } from './event-store.js';
import { READ } from './protocol/read.js';

const PAUSE_AT = 512;
/** The pause before a read asks again, on another connection or of another node. */
const MOVE_PAUSE_MS = 50;

/**
 * Yields the responses to a read. Each page has all responses that have arrived; until the next page is
 * taken, the server is paused. While a cluster has no leader, the read waits for one. Fails with
 * `EventStoreUnavailable` if nothing arrives for `timeoutMs`. After `limit` responses the server ends the call itself,
 * so a reader who stops there does not cancel it: a server ends a connection with about a thousand cancelled calls in
 * a row (CVE-2023-44487).
 */
export async function* responsesTo(
  request: Buffer,
  link: Link,
  limit: number,
  timeoutMs: number,
  onTimeout: () => void,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  const reading = new Reading(request, link, limit, timeoutMs, onTimeout);
  reading.begin();
  try {
    for (;;) {
      const page = await reading.page();
      if (page.length === 0) return;
      yield page;
    }
  } finally {
    reading.stop();
  }
}

class Reading implements Replies {
  #page: Buffer[] = [];
  #call: Call | undefined;
  #ended = false;
  #failure: unknown;
  /** Why the read asks again; undefined if it does not. */
  #moveReason: Error | undefined;
  #move: NodeJS.Timeout | undefined;
  #received = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly request: Buffer,
    private readonly link: Link,
    private readonly limit: number,
    private readonly timeoutMs: number,
    private readonly onTimeout: () => void,
  ) {}

  begin(): void {
    this.link.open(READ, this).then(
      (call) => {
        this.#call = call;
        if (this.#ended) call.cancel();
        else call.sendOnly(this.request);
      },
      (cause: unknown) => this.ended(cause),
    );
  }

  message(bytes: Buffer): void {
    this.#received += 1;
    this.#page.push(bytes);
    if (this.#page.length >= PAUSE_AT) this.#call?.pause();
    this.#wake();
  }

  ended(failure: unknown): void {
    if (!this.#ended && this.#received === 0 && this.link.mayMove(failure)) {
      this.#moveReason = failure as Error;
      this.#move = setTimeout(() => this.begin(), MOVE_PAUSE_MS);
      return;
    }
    this.#ended = true;
    this.#failure ??= failure;
    this.#wake();
  }

  /** Returns the responses since the last page. An empty page means the end. */
  async page(): Promise<readonly Buffer[]> {
    if (this.#page.length === 0 && !this.#ended) {
      await this.#more();
      // Responses that arrived together with the first one belong to the same page.
      if (!this.#ended) await this.#endOfTurn();
    }
    if (this.#failure !== undefined) throw failureOf(this.#failure);
    const page = this.#page;
    this.#page = [];
    this.#call?.resume();
    return page;
  }

  stop(): void {
    clearTimeout(this.#move);
    if (this.#received >= this.limit) this.#call?.resume();
    else if (!this.#ended) this.#call?.cancel();
    this.#ended = true;
  }

  /** Resolves at the end of this turn of the event loop, or earlier if the call ends. */
  #endOfTurn(): Promise<void> {
    return new Promise((resolve) => {
      const turn = setImmediate(resolve);
      this.#wake = () => {
        if (!this.#ended) return;
        clearImmediate(turn);
        resolve();
      };
    });
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.stop();
        this.onTimeout();
        const last = this.#moveReason === undefined ? '' : `; last: ${this.#moveReason.message}`;
        this.ended(new Error(`no answer in ${this.timeoutMs} ms${last}`));
      }, this.timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Returns the opened call. Fails with `EventStoreUnavailable` after `timeoutMs`; a call that opens later
 * is cancelled.
 */
export async function opened(
  opening: Promise<Call>,
  timeoutMs: number,
  onTimeout: () => void,
): Promise<Call> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout();
      opening.then(
        (call) => call.cancel(),
        () => undefined,
      );
      reject(unavailable(new Error(`no connection in ${timeoutMs} ms`)));
    }, timeoutMs);
  });
  try {
    return await Promise.race([opening, late]);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

const failureOf = (cause: unknown): Error =>
  cause instanceof DamagedEvent ? cause : unavailable(cause);

/** True if the server refused a read because its log has no such position. */
export const isNoPosition = (failure: unknown): boolean =>
  failure instanceof Error &&
  (('code' in failure && failure.code === status.INVALID_ARGUMENT) || isNoPosition(failure.cause));

export const unavailable = (cause: unknown): EventStoreUnavailable =>
  cause instanceof EventStoreUnavailable
    ? cause
    : new EventStoreUnavailable(
        `The event store cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
