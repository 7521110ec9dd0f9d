import {
  DamagedEvent,
  type EventStore,
  type LoggedEvent,
  type Subscription,
} from '#event-store/event-store.js';

/** The position before the first event of a log. */
export const LOG_START = -1n;

const MAX_EVENTS = 4_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

const NOTHING = (): void => undefined;
const sizeOf = ({ json }: LoggedEvent): number =>
  json === undefined ? 0 : json.data.length + json.metadata.length;

/**
 * The last events of the log, from one subscription, for all readers of this process. It keeps at most 4,000
 * events and 16 Mi characters; a reader that is further behind reads from the log.
 */
export class RecentEvents {
  /** `events` has every event after `from`, up to and including `upTo`. */
  #from: bigint;
  #upTo: bigint;
  #events: LoggedEvent[] = [];
  #sizes: number[] = [];
  #characters = 0;
  #damage: DamagedEvent | undefined;
  /** Why the subscription has stopped for good. */
  #stopped: unknown;
  readonly #waiting = new Set<() => void>();
  readonly #subscription: Subscription;

  /** Begins at the present end of the log. Fails with `EventStoreUnavailable`. */
  static async follow(eventStore: EventStore): Promise<RecentEvents> {
    return new RecentEvents(eventStore, await eventStore.lastPosition());
  }

  private constructor(eventStore: EventStore, after: bigint | undefined) {
    this.#from = this.#upTo = after ?? LOG_START;
    this.#subscription = eventStore.subscribe({
      after,
      onEvents: (events) => Promise.resolve(this.#receive(events)),
      onCheckpoint: (position) => Promise.resolve(this.#passed(position)),
      onResubscribe: (cause) => {
        if (!(cause instanceof DamagedEvent)) return;
        this.#damage = cause;
        this.#wake();
      },
      onStopped: (cause) => {
        this.#stopped = cause;
        this.#wake();
      },
    });
  }

  /** Events up to and including this position have arrived. */
  get upTo(): bigint {
    return this.#upTo;
  }

  /**
   * Returns at most `limit` events after a position; undefined if they are not kept any more.
   * @throws DamagedEvent if the next event is damaged in the files of the embedded node, and NoSuchPosition after
   * the event store has got another log.
   */
  after(position: bigint, limit: number): readonly LoggedEvent[] | undefined {
    if (position < this.#from) return undefined;
    let first = this.#events.length;
    while (first > 0 && this.#events[first - 1]!.position > position) first -= 1;
    const events = this.#events.slice(first, first + limit);
    if (events.length === 0 && this.#damage !== undefined) throw this.#damage;
    if (events.length === 0 && this.#stopped !== undefined) throw this.#stopped as Error;
    return events;
  }

  /** Resolves when events after this position have arrived, or when the signal aborts. */
  async grown(position: bigint, signal: AbortSignal): Promise<void> {
    if (this.#lastPosition > position || signal.aborted) return;
    let wake = NOTHING;
    await new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  stop(): Promise<void> {
    return this.#subscription.stop();
  }

  get #lastPosition(): bigint {
    return this.#events.at(-1)?.position ?? this.#from;
  }

  #receive(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      const size = sizeOf(event);
      delete event.json;
      this.#events.push(event);
      this.#sizes.push(size);
      this.#characters += size;
    }
    this.#damage = undefined;
    this.#passed(this.#lastPosition);
    this.#forgetOldest();
    this.#wake();
  }

  #passed(position: bigint): void {
    if (position > this.#upTo) this.#upTo = position;
  }

  #forgetOldest(): void {
    let excess = Math.max(0, this.#events.length - MAX_EVENTS);
    for (const size of this.#sizes.slice(0, excess)) this.#characters -= size;
    while (this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#sizes[excess]!;
      excess += 1;
    }
    if (excess === 0) return;
    this.#from = this.#events[excess - 1]!.position;
    this.#events.splice(0, excess);
    this.#sizes.splice(0, excess);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
