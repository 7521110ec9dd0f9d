import { roughSize } from '#event-store/codec.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { laterOf } from './later-of.js';

/** A run of the log: these events, and nothing else of interest up to and including `position`. */
export interface Slice {
  readonly events: readonly LoggedEvent[];
  readonly position: bigint;
}

const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** The reading side waits while this much is ready: the memory of a slow Postgres is bounded. */
const FULL_EVENTS = 2 * MAX_EVENTS;
/** So many events are worth a slice of their own at once. */
const ENOUGH_EVENTS = MAX_EVENTS / 4;

/**
 * Between reading the log and writing rows: while one slice is written the next is read, and under load
 * slices grow by themselves.
 */
export class EventBuffer {
  private waiting: { readonly event: LoggedEvent; readonly size: number }[] = [];
  private waitingSize = 0;
  private checkpoint: bigint | undefined;
  private closed = false;
  private wakeReader: (() => void) | undefined;
  private wakeWriter: (() => void) | undefined;
  private wakeResting: (() => void) | undefined;
  private wasStirred = false;

  /** Resolves when there is room for more. */
  async push(events: readonly LoggedEvent[]): Promise<void> {
    for (const event of events) {
      const size = roughSize(event.data);
      this.waiting.push({ event, size });
      this.waitingSize += size;
    }
    this.wakeWriter?.();
    if (this.isRipe) this.stir();
    while (!this.closed && this.isFull()) {
      await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
  }

  /** Everything of interest up to `position` has been pushed. */
  passed(position: bigint): void {
    this.checkpoint = position;
    this.wakeWriter?.();
  }

  /** The next slice, or undefined when the buffer was closed. */
  async take(): Promise<Slice | undefined> {
    while (!this.closed && this.waiting.length === 0 && this.checkpoint === undefined) {
      await new Promise<void>((resolve) => (this.wakeWriter = resolve));
    }
    const slice = this.peek();
    if (slice === undefined) return undefined;
    for (const { size } of this.waiting.splice(0, slice.events.length)) this.waitingSize -= size;
    if (this.waiting.length === 0) this.checkpoint = undefined;
    this.wakeReader?.();
    return slice;
  }

  /** The next slice as it is now, left here to be taken later; undefined where there is none yet. */
  peek(): Slice | undefined {
    if (this.closed) return undefined;
    const events = this.nextEvents();
    const last = events.at(-1)?.position;
    const isAll = events.length === this.waiting.length;
    const position = isAll ? laterOf(last, this.checkpoint) : last;
    return position === undefined ? undefined : { events, position };
  }

  /** Resolves after so many milliseconds, or when anything has been stirred since the last call. */
  async stirred(ms: number): Promise<void> {
    if (!this.wasStirred) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wakeResting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wakeResting = undefined;
    }
    this.wasStirred = false;
  }

  /** Somebody waits for what is here, or enough is. */
  stir(): void {
    this.wasStirred = true;
    this.wakeResting?.();
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Whether no more should be waited for: a slice's worth is here, or nothing will come. */
  get isRipe(): boolean {
    return this.closed || this.waiting.length >= ENOUGH_EVENTS;
  }

  close(): void {
    this.closed = true;
    this.stir();
    this.wakeReader?.();
    this.wakeWriter?.();
  }

  private isFull(): boolean {
    return this.waiting.length >= FULL_EVENTS || this.waitingSize >= 2 * MAX_CHARACTERS;
  }

  private nextEvents(): LoggedEvent[] {
    let count = 0;
    let size = 0;
    while (count < this.waiting.length && count < MAX_EVENTS && size < MAX_CHARACTERS) {
      size += this.waiting[count]?.size ?? 0;
      count += 1;
    }
    return this.waiting.slice(0, count).map(({ event }) => event);
  }
}
