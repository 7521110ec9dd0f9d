import type { EventStore, LoggedEvent, Subscription } from '#event-store/event-store.js';
import { EventBuffer, type Slice } from './event-buffer.js';

/** Of its time, a feed that nobody waits for spends at most one part in so many on writing. */
const REST_PER_WORK = 10;
const LONGEST_REST_MS = 50;

/** Who may be waiting for rows. */
export interface Audience {
  /** Of which read models, now or lately; empty while nobody waits. */
  awaited(): ReadonlySet<string>;
  /** Calls back when somebody begins to wait, until the returned function is called. */
  onWaiting(listener: () => void): () => void;
}

/** What becomes of what is read. */
export interface Slices {
  /** They have come, and so has everything of interest up to `position`; they will be written. */
  arrived?(events: readonly LoggedEvent[], position: bigint): void;
  /** Takes effect for all read models. */
  write(slice: Slice): Promise<void>;
  /** Takes effect for those that somebody waits for; the slice, grown, is written for all later. */
  hasten?(slice: Slice): Promise<void>;
}

/**
 * One subscription and the loop that writes what it reads. `failed` rejects with what a handler threw,
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
    private readonly slices: Slices,
    private readonly audience?: Audience,
  ) {
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    this.caughtUp = new Promise<void>((resolve) => (this.catchUp = resolve));
    this.subscription = eventStore.subscribe({
      after,
      onEvents: (events) => {
        const pushed = this.buffer.push(events);
        const last = events.at(-1);
        if (last !== undefined) this.slices.arrived?.(events, last.position);
        if (this.isAwaited) this.buffer.stir();
        return pushed;
      },
      onCheckpoint: async (position) => {
        this.buffer.passed(position);
        this.slices.arrived?.([], position);
      },
      onCaughtUp: () => {
        this.sawEnd = true;
        this.checkCaughtUp();
      },
      onStopped: (cause) => this.fail(cause),
    });
    this.forgetAudience = audience?.onWaiting(() => this.buffer.stir());
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
        await this.slices.write(slice);
        this.writing = false;
        this.checkCaughtUp();
        await this.rest(performance.now() - began);
      }
    } catch (cause) {
      this.buffer.close();
      this.fail(cause);
    }
  }

  /**
   * Under a steady flow of single events, a transaction for each would cost more than all else. Whoever
   * waits meanwhile gets what it waits for, and nothing else is written for that.
   */
  private async rest(workedMs: number): Promise<void> {
    const { audience, buffer, slices } = this;
    if (audience === undefined) return;
    const end = performance.now() + Math.min(REST_PER_WORK * workedMs, LONGEST_REST_MS);
    while (performance.now() < end && !buffer.isRipe) {
      const slice = this.isAwaited ? buffer.peek() : undefined;
      if (slice !== undefined && slices.hasten === undefined) return;
      if (slice !== undefined) await slices.hasten?.(slice);
      await buffer.stirred(Math.max(0, end - performance.now()));
    }
  }

  private get isAwaited(): boolean {
    return this.audience !== undefined && this.audience.awaited().size > 0;
  }

  private checkCaughtUp(): void {
    if (this.sawEnd && !this.writing && this.buffer.isEmpty) this.catchUp();
  }
}
