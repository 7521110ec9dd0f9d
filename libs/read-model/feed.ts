import type { EventStore, Subscription } from '#event-store/event-store.js';
import { EventBuffer, type Slice } from './event-buffer.js';

/** Of its time, a feed that nobody waits for spends at most one part in so many on writing. */
const REST_PER_WORK = 4;
const LONGEST_REST_MS = 50;

/** Who may be waiting for rows. */
export interface Audience {
  /** Of which read models; empty while nobody waits. */
  awaited(): ReadonlySet<string>;
  /** Calls back when somebody begins to wait, until the returned function is called. */
  onWaiting(listener: () => void): () => void;
}

/**
 * One subscription and the loop that writes what it reads. `failed` rejects with what `handle` threw,
 * or with why the subscription stopped; it never resolves.
 */
export class Feed {
  readonly failed: Promise<never>;
  /** Resolves when everything up to the log's end, as it was at some moment, has been written. */
  readonly caughtUp: Promise<void>;
  private readonly buffer = new EventBuffer();
  private readonly subscription: Subscription;
  private readonly written: Promise<void>;
  private fail: (cause: unknown) => void = () => undefined;
  private catchUp: () => void = () => undefined;
  private readonly forgetAudience: (() => void) | undefined;
  private sawEnd = false;
  private writing = false;

  constructor(
    eventStore: EventStore,
    after: bigint | undefined,
    private readonly handle: (slice: Slice) => Promise<void>,
    private readonly audience?: Audience,
  ) {
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    this.caughtUp = new Promise<void>((resolve) => (this.catchUp = resolve));
    this.subscription = eventStore.subscribe({
      after,
      onEvents: (events) => this.buffer.push(events),
      onCheckpoint: async (position) => this.buffer.passed(position),
      onCaughtUp: () => {
        this.sawEnd = true;
        this.checkCaughtUp();
      },
      onStopped: (cause) => this.fail(cause),
    });
    this.forgetAudience = audience?.onWaiting(() => this.buffer.hurry());
    this.written = this.write();
  }

  /** Returns when nothing is being written any more. */
  async stop(): Promise<void> {
    this.forgetAudience?.();
    this.buffer.close();
    await this.subscription.stop();
    await this.written;
  }

  private async write(): Promise<void> {
    try {
      for (let slice = await this.buffer.take(); slice; slice = await this.buffer.take()) {
        this.writing = true;
        const began = performance.now();
        await this.handle(slice);
        this.writing = false;
        this.checkCaughtUp();
        await this.rest(performance.now() - began);
      }
    } catch (cause) {
      this.buffer.close();
      this.fail(cause);
    }
  }

  /** Under a steady flow of single events, a transaction for each would cost more than all else. */
  private async rest(workedMs: number): Promise<void> {
    if (this.audience === undefined || this.audience.awaited().size > 0) return;
    await this.buffer.rest(Math.min(REST_PER_WORK * workedMs, LONGEST_REST_MS));
  }

  private checkCaughtUp(): void {
    if (this.sawEnd && !this.writing && this.buffer.isEmpty) this.catchUp();
  }
}
