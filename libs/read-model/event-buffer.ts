import { roughSize } from '#event-store/codec.js';
import type { FedEvent } from './chain-check.js';
import { laterOf } from './later-of.js';

/** A slice of the log: all matching events after the previous slice, up to and including `position`. */
export interface Slice {
  readonly events: readonly FedEvent[];
  readonly position: bigint;
}

const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** At this number of buffered events the subscription waits, so that a slow Postgres does not fill the memory. */
const FULL_EVENTS = 2 * MAX_EVENTS;
/** At this number of buffered events the leader writes at once and does not rest first. */
const ENOUGH_EVENTS = MAX_EVENTS / 4;

/**
 * Buffers events between the subscription and the writer. While one slice is written, the next one is
 * received, so slices grow under load.
 */
export class EventBuffer {
  private waiting: { readonly event: FedEvent; readonly size: number }[] = [];
  private waitingSize = 0;
  private checkpoint: bigint | undefined;
  private closed = false;
  private wakeReader: (() => void) | undefined;
  private wakeWriter: (() => void) | undefined;

  /** Adds the events. Resolves when the buffer has room for more. */
  async push(events: readonly FedEvent[]): Promise<void> {
    for (const event of events) {
      const size = roughSize(event.data);
      this.waiting.push({ event, size });
      this.waitingSize += size;
    }
    this.wakeWriter?.();
    while (!this.closed && this.isFull()) {
      await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
  }

  /** Notes that every matching event up to `position` has been pushed. */
  passed(position: bigint): void {
    this.checkpoint = laterOf(this.checkpoint, position);
    this.wakeWriter?.();
  }

  /** Returns the next slice; undefined if the buffer is closed. */
  async take(): Promise<Slice | undefined> {
    while (!this.closed && this.waiting.length === 0 && this.checkpoint === undefined) {
      await new Promise<void>((resolve) => (this.wakeWriter = resolve));
    }
    if (this.closed) return undefined;
    const count = this.nextCount();
    const taken = this.waiting.splice(0, count);
    for (const { size } of taken) this.waitingSize -= size;
    const last = taken.at(-1)?.event.position;
    const position = this.isEmpty ? laterOf(last, this.checkpoint) : last;
    if (this.isEmpty) this.checkpoint = undefined;
    this.wakeReader?.();
    return position === undefined
      ? undefined
      : { events: taken.map(({ event }) => event), position };
  }

  /** Returns the events of the next slice without removing them; undefined if there are none. */
  peek(): Slice | undefined {
    const events = this.waiting.slice(0, this.nextCount()).map(({ event }) => event);
    const position = events.at(-1)?.position;
    return position === undefined ? undefined : { events, position };
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** True if enough events for a slice are buffered. */
  get hasEnough(): boolean {
    return this.waiting.length >= ENOUGH_EVENTS;
  }

  close(): void {
    this.closed = true;
    this.wakeReader?.();
    this.wakeWriter?.();
  }

  private isFull(): boolean {
    return this.waiting.length >= FULL_EVENTS || this.waitingSize >= 2 * MAX_CHARACTERS;
  }

  private nextCount(): number {
    let count = 0;
    let size = 0;
    while (count < this.waiting.length && count < MAX_EVENTS && size < MAX_CHARACTERS) {
      size += this.waiting[count]?.size ?? 0;
      count += 1;
    }
    return count;
  }
}
