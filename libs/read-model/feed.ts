import type { EventStore, Subscription } from '#event-store/event-store.js';
import { EventBuffer, type Slice } from './event-buffer.js';

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
  private sawEnd = false;
  private writing = false;

  constructor(
    eventStore: EventStore,
    after: bigint | undefined,
    private readonly handle: (slice: Slice) => Promise<void>,
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
    this.written = this.write();
  }

  /** Returns when nothing is being written any more. */
  async stop(): Promise<void> {
    this.buffer.close();
    await this.subscription.stop();
    await this.written;
  }

  private async write(): Promise<void> {
    try {
      for (let slice = await this.buffer.take(); slice; slice = await this.buffer.take()) {
        this.writing = true;
        await this.handle(slice);
        this.writing = false;
        this.checkCaughtUp();
      }
    } catch (cause) {
      this.buffer.close();
      this.fail(cause);
    }
  }

  private checkCaughtUp(): void {
    if (this.sawEnd && !this.writing && this.buffer.isEmpty) this.catchUp();
  }
}
