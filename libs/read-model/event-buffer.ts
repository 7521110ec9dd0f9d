import { roughSize } from '#event-store/codec.js';
import type { LoggedEvent } from '#event-store/event-store.js';

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
  private endRest: (() => void) | undefined;

  /** Resolves when there is room for more. */
  async push(events: readonly LoggedEvent[]): Promise<void> {
    for (const event of events) {
      const size = roughSize(event.data);
      this.waiting.push({ event, size });
      this.waitingSize += size;
    }
    this.wakeWriter?.();
    if (this.waiting.length >= ENOUGH_EVENTS) this.endRest?.();
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
    if (this.closed) return undefined;
    const events = this.takeEvents();
    const last = events.at(-1)?.position;
    const emptied = this.waiting.length === 0;
    const position = emptied ? laterOf(last, this.checkpoint) : last;
    if (emptied) this.checkpoint = undefined;
    this.wakeReader?.();
    return position === undefined ? undefined : { events, position };
  }

  /** Lets the next slice grow for so many milliseconds, or until it is hurried or worth its while. */
  async rest(ms: number): Promise<void> {
    if (this.closed || this.waiting.length >= ENOUGH_EVENTS) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endRest = undefined;
  }

  /** Somebody waits for what is here. */
  hurry(): void {
    this.endRest?.();
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  close(): void {
    this.closed = true;
    this.endRest?.();
    this.wakeReader?.();
    this.wakeWriter?.();
  }

  private isFull(): boolean {
    return this.waiting.length >= FULL_EVENTS || this.waitingSize >= 2 * MAX_CHARACTERS;
  }

  private takeEvents(): LoggedEvent[] {
    let count = 0;
    let size = 0;
    while (count < this.waiting.length && count < MAX_EVENTS && size < MAX_CHARACTERS) {
      size += this.waiting[count]?.size ?? 0;
      count += 1;
    }
    this.waitingSize -= size;
    return this.waiting.splice(0, count).map(({ event }) => event);
  }
}

const laterOf = (left: bigint | undefined, right: bigint | undefined): bigint | undefined => {
  if (left === undefined || right === undefined) return left ?? right;
  return left > right ? left : right;
};
