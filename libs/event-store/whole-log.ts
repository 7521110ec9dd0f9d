import { Readable } from 'node:stream';
import { DamagedEvent, type EventStore, type LoggedEvent } from './event-store.js';
import { unavailable } from './reading.js';

/** The number of failed subscriptions in a row at which the server counts as unavailable. */
const MAX_FAILURES = 10;

/** Events, and the position up to which the log has been read; `end` if everything has been read. */
interface Page {
  readonly events: readonly LoggedEvent[];
  readonly upTo: bigint | 'end';
  /** The damaged event after these events. */
  readonly damaged?: DamagedEvent;
}

/**
 * Yields the events in log order, up to and including a position, in pages; the next page is read when
 * the caller asks for it. The `$` streams are left out. Fails with `EventStoreUnavailable` if the server
 * is unavailable, with `NoSuchPosition` if the log does not have the position `after`, with `DamagedEvent` after
 * the events before a damaged one, and with an `AbortError` if the signal aborts. With `after`, begins after that position.
 */
export async function* wholeLog(
  store: EventStore,
  end: bigint | undefined,
  signal?: AbortSignal,
  after?: bigint,
): AsyncGenerator<readonly LoggedEvent[]> {
  signal?.throwIfAborted();
  if (end === undefined) return;
  let resume = (): void => undefined;
  let failures = 0;
  const pages = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => resume(),
    ...(signal && { signal }),
  });
  const deliver = async (page: Page): Promise<void> => {
    failures = 0;
    if (pages.destroyed || pages.push(page)) return;
    await new Promise<void>((resolve) => (resume = resolve));
  };
  const subscription = store.subscribe({
    after,
    onEvents: (events) => deliver({ events, upTo: events.at(-1)!.position }),
    onCheckpoint: (position) => deliver({ events: [], upTo: position }),
    // The subscription began after `end` was read, so it has passed `end` now. A server before 24.10.6
    // sends no checkpoint that says so if the log ends with system events.
    onCaughtUp: () => void deliver({ events: [], upTo: 'end' }),
    onResubscribe: (cause) => {
      if (cause instanceof DamagedEvent) {
        pages.push({ events: [], upTo: cause.position, damaged: cause });
        return;
      }
      failures += 1;
      if (failures > MAX_FAILURES) pages.destroy(unavailable(cause));
    },
    onStopped: (cause) => void pages.destroy(cause as Error),
  });
  try {
    for await (const { events, upTo, damaged } of pages as AsyncIterable<Page>) {
      if (damaged) throw damaged;
      const wanted = events.filter(({ position }) => position <= end);
      if (wanted.length > 0) yield wanted;
      if (upTo === 'end' || upTo >= end) return;
    }
  } finally {
    pages.destroy();
    resume();
    await subscription.stop();
  }
}
