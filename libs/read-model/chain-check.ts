import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { BEFORE_FIRST, verifyLink } from '#event-store/codec.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { hasSchemas } from './upcasting.js';

/** An event of a feed. */
export interface FedEvent extends LoggedEvent {
  /** True if the event does not follow the previous event of its stream (SPEC I6). */
  readonly isBroken?: true;
}

/** The end of a stream, as far as it was checked. */
interface Head {
  readonly number: number;
  readonly hash: string;
}

const MAX_HEAD_BYTES = 24 * 1024 * 1024;

/**
 * Checks that each event of a feed follows the previous event of its stream: its number, its hash, and the
 * hash before it. It keeps the heads of the streams that were used last, and reads the previous event of any
 * other stream from the log.
 */
export class ChainCheck {
  private readonly heads = new LruMap<string, Head>({
    maxBytes: MAX_HEAD_BYTES,
    bytesOf: ({ hash }, stream) => stringBytes(stream) + stringBytes(hash),
  });

  constructor(private readonly eventStore: EventStore) {}

  /**
   * Returns the events, with those marked that are broken. Events of categories that no product code writes
   * have no hash chain. Fails with `EventStoreUnavailable`.
   */
  async check(events: readonly LoggedEvent[]): Promise<readonly FedEvent[]> {
    const missing = this.firstOfUnknownStreams(events);
    // Most batches need no read, and then they are checked in the turn in which they arrive.
    if (missing.length > 0) await Promise.all(missing.map((event) => this.readHeadBefore(event)));
    return events.map((event): FedEvent => {
      const follows = this.follows(event);
      // The events stay in memory until they are written, but their texts need not.
      event.json = undefined;
      return follows ? event : { ...event, isBroken: true };
    });
  }

  private firstOfUnknownStreams(events: readonly LoggedEvent[]): LoggedEvent[] {
    const firsts = new Map<string, LoggedEvent>();
    for (const event of events)
      if (!this.heads.has(event.stream) && !firsts.has(event.stream))
        firsts.set(event.stream, event);
    return [...firsts.values()].filter(({ stream, number }) => number > 0 && hasSchemas(stream));
  }

  private async readHeadBefore({ stream, number }: LoggedEvent): Promise<void> {
    const from = number - 1;
    for await (const { metadata } of this.eventStore.readStream(stream, { from, limit: 1 }))
      this.heads.set(stream, { number: from, hash: String(metadata.hash) });
  }

  private follows(event: LoggedEvent): boolean {
    const { stream, number, metadata } = event;
    if (!hasSchemas(stream)) return true;
    const head = number === 0 ? BEFORE_FIRST : this.heads.peek(stream);
    // The next event is compared with this one as it is stored, so one forged event is one broken event.
    this.heads.set(stream, { number, hash: String(metadata.hash) });
    if (head === undefined) return false;
    try {
      verifyLink(head, event);
      return true;
    } catch {
      // A forged event can have any form, so every error means that it is broken.
      return false;
    }
  }
}
