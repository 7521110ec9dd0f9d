import {
  DamagedEvent,
  type EventStore,
  type LoggedEvent,
  type Subscription,
} from '#event-store/event-store.js';
import { ChainCheck } from './chain-check.js';
import { EventBuffer, type Slice } from './event-buffer.js';
import type { PositionWatch } from './position-watch.js';
import { LeaderPause } from './leader-pause.js';

/**
 * The maximum pause between two slices in ms. Without a pause, each event would get its own transaction,
 * which costs more than everything else.
 */
const MAX_PAUSE_MS = 50;

/** The consumer of a feed’s slices. */
export interface Slices {
  /** Called when the subscription was interrupted; the server may have been restored meanwhile. */
  interrupted?(): void;
  /** Called when every matching event up to `position` has arrived. The `events` are written later. */
  received?(events: readonly LoggedEvent[], position: bigint): void;
  write(slice: Slice): Promise<void>;
  /** Writes the slice to these read models only. A later `write` skips what they already have. */
  writeTo?(names: ReadonlySet<string>, slice: Slice): Promise<void>;
}

/**
 * One subscription, and the loop that writes its events. Between two slices the loop rests until enough
 * events have arrived. Meanwhile it writes the read models for which a caller waits. `failed` rejects
 * with the error of a handler, or with the reason why the subscription stopped; it never resolves.
 */
export class Feed {
  readonly failed: Promise<never>;
  /** Resolves when the subscription has reached the log's end and all its events are written. */
  readonly caughtUp: Promise<void>;
  private readonly buffer = new EventBuffer();
  private readonly subscription: Subscription;
  private readonly written: Promise<void>;
  private readonly pause: LeaderPause | undefined;
  private fail: (cause: unknown) => void = () => undefined;
  private catchUp: () => void = () => undefined;
  /**
   * Before the log's first event, no checkpoint is written: it would have no event by which the next leader
   * recognises the log.
   */
  private sawEvent: boolean;
  private sawEnd = false;
  private writing = false;

  /** @param watch gives the callers that wait in this process; without it, the feed never rests */
  constructor(
    eventStore: EventStore,
    after: bigint | undefined,
    private readonly slices: Slices,
    watch?: PositionWatch,
  ) {
    this.sawEvent = after !== undefined;
    this.pause = watch && new LeaderPause(watch, MAX_PAUSE_MS);
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
    this.caughtUp = new Promise<void>((resolve) => (this.catchUp = resolve));
    const chain = new ChainCheck(eventStore);
    this.subscription = eventStore.subscribe({
      after,
      onEvents: async (arrived) => {
        this.sawEvent = true;
        const events = await chain.check(arrived);
        const pushed = this.buffer.push(events);
        const last = events.at(-1);
        if (last !== undefined) this.slices.received?.(events, last.position);
        if (this.buffer.hasEnough) this.pause?.end();
        else if (watch !== undefined) this.pause?.hurry(watch.awaited());
        await pushed;
      },
      onCheckpoint: async (position) => {
        if (this.sawEvent) this.buffer.passed(position);
        this.slices.received?.([], position);
      },
      onCaughtUp: () => {
        this.sawEnd = true;
        this.checkCaughtUp();
      },
      onResubscribe: (cause) => {
        if (cause instanceof DamagedEvent) this.fail(cause);
        else this.slices.interrupted?.();
      },
      onStopped: (cause) => this.fail(cause),
    });
    this.written = this.write();
  }

  /** Resolves when the last running write has ended. */
  async stop(): Promise<void> {
    this.buffer.close();
    this.pause?.stop();
    await this.subscription.stop();
    await this.written;
  }

  /** Brings the written position to this one, if every event up to it has arrived. */
  passed(position: bigint): void {
    this.buffer.passed(position);
  }

  private async write(): Promise<void> {
    try {
      for (let slice = await this.buffer.take(); slice; slice = await this.buffer.take()) {
        this.writing = true;
        await this.slices.write(slice);
        this.writing = false;
        this.checkCaughtUp();
        if (!this.buffer.hasEnough) await this.pause?.taken((names) => this.writeTo(names));
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
