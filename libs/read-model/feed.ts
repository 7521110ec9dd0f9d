import type { EventStore, LoggedEvent, Subscription } from '#event-store/event-store.js';
import { EventBuffer, type Slice } from './event-buffer.js';
import type { PositionWatch } from './position-watch.js';
import { Rest } from './rest.js';

/**
 * The longest pause between two slices in ms: a transaction for each event would cost more than the rest of
 * the work.
 */
const MAX_REST_MS = 50;

/** The consumer of a feed. */
export interface Slices {
  /** Called when every matching event up to `position` has been received; `events` are written later. */
  received?(events: readonly LoggedEvent[], position: bigint): void;
  write(slice: Slice): Promise<void>;
  /** Writes the slice to these read models only; `write` later skips what they already have. */
  writeTo?(names: ReadonlySet<string>, slice: Slice): Promise<void>;
}

/**
 * One subscription and the loop that writes its events. Between two slices it rests until enough events have
 * arrived; meanwhile it writes the read models that a caller waits for. `failed` rejects with a handler's
 * error or the reason for which the subscription stopped; it never resolves.
 */
export class Feed {
  readonly failed: Promise<never>;
  /** Resolves when the subscription has reached the log's end and all received events are written. */
  readonly caughtUp: Promise<void>;
  private readonly buffer = new EventBuffer();
  private readonly subscription: Subscription;
  private readonly written: Promise<void>;
  private readonly rest: Rest | undefined;
  private fail: (cause: unknown) => void = () => undefined;
  private catchUp: () => void = () => undefined;
  private sawEnd = false;
  private writing = false;

  /** @param watch knows the callers that wait in this process; without it, the feed never rests */
  constructor(
    eventStore: EventStore,
    after: bigint | undefined,
    private readonly slices: Slices,
    watch?: PositionWatch,
  ) {
    this.rest = watch && new Rest(watch, MAX_REST_MS);
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    this.caughtUp = new Promise<void>((resolve) => (this.catchUp = resolve));
    this.subscription = eventStore.subscribe({
      after,
      onEvents: (events) => {
        const pushed = this.buffer.push(events);
        const last = events.at(-1);
        if (last !== undefined) this.slices.received?.(events, last.position);
        if (this.buffer.hasEnough) this.rest?.end();
        else if (watch !== undefined) this.rest?.hurry(watch.awaited());
        return pushed;
      },
      onCheckpoint: async (position) => {
        this.buffer.passed(position);
        this.slices.received?.([], position);
      },
      onCaughtUp: () => {
        this.sawEnd = true;
        this.checkCaughtUp();
      },
      onStopped: (cause) => this.fail(cause),
    });
    this.written = this.write();
  }

  /** Resolves when no write is running any more. */
  async stop(): Promise<void> {
    this.buffer.close();
    this.rest?.stop();
    await this.subscription.stop();
    await this.written;
  }

  private async write(): Promise<void> {
    try {
      for (let slice = await this.buffer.take(); slice; slice = await this.buffer.take()) {
        this.writing = true;
        await this.slices.write(slice);
        this.writing = false;
        this.checkCaughtUp();
        if (!this.buffer.hasEnough) await this.rest?.taken((names) => this.writeTo(names));
      }
    } catch (cause) {
      this.buffer.close();
      this.fail(cause);
    }
  }

  private async writeTo(names: ReadonlySet<string>): Promise<void> {
    const slice = this.buffer.peek();
    if (slice !== undefined) await this.slices.writeTo?.(names, slice);
  }

  private checkCaughtUp(): void {
    if (this.sawEnd && !this.writing && this.buffer.isEmpty) this.catchUp();
  }
}
