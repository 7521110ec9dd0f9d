import { setImmediate as afterThisTurn } from 'node:timers/promises';
import type { Call, Replies } from './call.js';
import type { Connection } from './connection.js';
import {
  type LoggedEvent,
  NoSuchPosition,
  type SubscribeOptions,
  type Subscription,
} from './event-store.js';
import { READ, readResponse, subscribeRequest } from './protocol/read.js';
import { isNoPosition, opened } from './reading.js';

const MAX_BATCH = 500;
/**
 * The maximum number of events, and of their bytes, that wait while a batch is handled. At either the server is paused.
 */
const MAX_BUFFERED = 2000;
const MAX_BUFFERED_BYTES = 256 * 1024;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5000;

interface Timeouts {
  readonly openMs: number;
  /** The time in ms without events after which the log's end is compared with the handled position. */
  readonly silenceMs: number;
}

/**
 * Subscribes to $all from the last handled position. A call may fail, be cancelled by the server, end
 * silently, or stay open without events; in each case the subscription opens the next call.
 */
export class FollowingSubscription implements Subscription {
  #handled: bigint | undefined;
  #stopped = false;
  #call: Call | undefined;
  #wake: () => void = () => undefined;
  readonly #done: Promise<void>;

  constructor(
    private readonly connection: Connection,
    private readonly options: SubscribeOptions,
    private readonly timeouts: Timeouts,
    private readonly endOfLog: () => Promise<bigint | undefined>,
  ) {
    this.#handled = options.after;
    this.#done = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    this.#call?.cancel();
    await this.#done;
  }

  async #follow(): Promise<void> {
    let backoff = FIRST_BACKOFF_MS;
    while (!this.#stopped) {
      const before = this.#handled;
      const cause = await this.#followOneCall();
      if (cause instanceof HandlerFailure) {
        this.#stopped = true;
        return this.options.onStopped?.(cause.cause);
      }
      if (this.#stopped) return;
      if (this.#handled !== undefined && isNoPosition(cause)) {
        this.#stopped = true;
        return this.options.onStopped?.(new NoSuchPosition(this.#handled, { cause }));
      }
      this.options.onResubscribe?.(cause);
      backoff = this.#handled === before ? Math.min(backoff * 2, MAX_BACKOFF_MS) : FIRST_BACKOFF_MS;
      await this.#sleep(backoff);
    }
  }

  /** Resolves when the call has ended, with the reason. */
  async #followOneCall(): Promise<unknown> {
    const link = this.connection.link;
    try {
      const inbox = new Inbox(() => this.#wake());
      const opening = link.open(READ, inbox);
      this.#call = await opened(opening, this.timeouts.openMs, () => this.connection.retire(link));
      if (this.#stopped) return undefined;
      inbox.fill(this.#call, this.#handled);
      return await this.#drain(inbox);
    } catch (cause) {
      return cause;
    } finally {
      this.#call?.cancel();
      this.#call = undefined;
    }
  }

  async #drain(inbox: Inbox): Promise<unknown> {
    while (!this.#stopped) {
      const events = inbox.take();
      if (events.length > 0) await this.#handle(events);
      if (inbox.events.length > 0) continue;
      await this.#checkpoint(inbox);
      if (inbox.caughtUp) {
        inbox.caughtUp = false;
        this.options.onCaughtUp?.();
      }
      if (inbox.isEnded) return inbox.cause;
      if (inbox.isEmpty && !(await this.#receivesMore(inbox))) {
        return new Error('the subscription received nothing although the log has later events');
      }
    }
    return undefined;
  }

  async #handle(events: readonly LoggedEvent[]): Promise<void> {
    try {
      await this.options.onEvents(events);
    } catch (cause) {
      throw new HandlerFailure(cause);
    }
    this.#handled = events.at(-1)!.position;
  }

  async #checkpoint(inbox: Inbox): Promise<void> {
    const position = inbox.checkpoint;
    inbox.checkpoint = undefined;
    if (position === undefined || (this.#handled !== undefined && position <= this.#handled))
      return;
    try {
      await this.options.onCheckpoint?.(position);
    } catch (cause) {
      throw new HandlerFailure(cause);
    }
    this.#handled = position;
  }

  /** Waits for the next message. Returns false if none arrives although the log has later events. */
  async #receivesMore(inbox: Inbox): Promise<boolean> {
    await this.#sleep(this.timeouts.silenceMs, () => inbox.isEmpty && !inbox.isEnded);
    if (!inbox.isEmpty || inbox.isEnded || this.#stopped) {
      await afterThisTurn(); // Messages that arrived together with the first one belong to the same batch.
      return true;
    }
    const end = await this.endOfLog();
    if (end === undefined || (this.#handled !== undefined && end <= this.#handled)) return true;
    await this.#sleep(this.timeouts.silenceMs, () => inbox.isEmpty && !inbox.isEnded);
    return !inbox.isEmpty || inbox.isEnded || this.#stopped;
  }

  /** Sleeps for this time, or until a message arrives. If a message has already arrived, it returns at once. */
  #sleep(ms: number, isQuiet: () => boolean = () => true): Promise<void> {
    if (this.#stopped || !isQuiet()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Thrown if `onEvents` or `onCheckpoint` failed; `cause` is its error. */
class HandlerFailure extends Error {
  constructor(cause: unknown) {
    super('a handler failed', { cause });
  }
}

/** The events of a call that have arrived and are not handled yet. */
class Inbox implements Replies {
  events: LoggedEvent[] = [];
  checkpoint: bigint | undefined;
  caughtUp = false;
  isEnded = false;
  cause: unknown;
  #call: Call | undefined;
  /** The bytes of each of the events, and of all. */
  #sizes: number[] = [];
  #bytes = 0;
  #paused = false;

  constructor(private readonly onReceived: () => void) {}

  /** Starts to receive the log after a position. */
  fill(call: Call, after: bigint | undefined): void {
    this.#call = call;
    call.sendOnly(subscribeRequest(after));
  }

  get isEmpty(): boolean {
    return this.events.length === 0 && this.checkpoint === undefined && !this.caughtUp;
  }

  get #isFull(): boolean {
    return this.events.length >= MAX_BUFFERED || this.#bytes >= MAX_BUFFERED_BYTES;
  }

  take(): readonly LoggedEvent[] {
    const taken = this.events.length <= MAX_BATCH ? this.events : this.events.slice(0, MAX_BATCH);
    this.events = this.events.length <= MAX_BATCH ? [] : this.events.slice(MAX_BATCH);
    for (const size of this.#sizes.splice(0, MAX_BATCH)) this.#bytes -= size;
    if (this.#paused && !this.#isFull) {
      this.#paused = false;
      this.#call?.resume();
    }
    return taken;
  }

  message(bytes: Buffer): void {
    const { event, checkpoint, caughtUp } = readResponse(bytes, true);
    if (event !== undefined) {
      this.events.push(event);
      this.#sizes.push(bytes.length);
      this.#bytes += bytes.length;
      // A checkpoint that arrived before this event does not cover the event, so the checkpoint is dropped.
      this.checkpoint = undefined;
      if (this.#isFull) {
        this.#paused = true;
        this.#call?.pause();
      }
    } else if (checkpoint !== undefined) this.checkpoint = checkpoint;
    else if (caughtUp) this.caughtUp = true;
    else return;
    this.onReceived();
  }

  ended(failure: Error | undefined): void {
    this.isEnded = true;
    this.cause = failure ?? new Error('the subscription ended');
    this.onReceived();
  }
}
