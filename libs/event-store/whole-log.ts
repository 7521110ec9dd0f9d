import { Readable } from 'node:stream';
import type { EventStore, LoggedEvent } from './event-store.js';
import { unavailable } from './reading.js';

/** The number of failed subscriptions in a row after which the server counts as unavailable. */
const PATIENCE = 10;

/** Events, and the position up to which the log has been read. */
interface Page {
  readonly events: readonly LoggedEvent[];
  readonly upTo: bigint;
}

/**
 * Yields every event up to a position in log order, in pages; the next page is read when this one is done.
 * Excludes `$` streams. Fails with `EventStoreUnavailable` if the server is unavailable, and with an
 * `AbortError` if the signal aborts.
 */
export async function* wholeLog(
  store: EventStore,
  end: bigint | undefined,
  signal?: AbortSignal,
): AsyncGenerator<readonly LoggedEvent[]> {
  signal?.throwIfAborted();
  if (end === undefined) return;
  let taken = (): void => undefined;
  let broken = 0;
  const pages = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read: () => taken(),
    ...(signal && { signal }),
  });
  const hand = async (page: Page): Promise<void> => {
    broken = 0;
    if (pages.destroyed || pages.push(page)) return;
    await new Promise<void>((resolve) => (taken = resolve));
  };
  const subscription = store.subscribe({
    after: undefined,
    onEvents: (events) => hand({ events, upTo: events.at(-1)!.position }),
    onCheckpoint: (position) => hand({ events: [], upTo: position }),
    onResubscribe: (cause) => {
      broken += 1;
      if (broken > PATIENCE) pages.destroy(unavailable(cause));
    },
  });
  try {
    for await (const { events, upTo } of pages as AsyncIterable<Page>) {
      const wanted = events.filter(({ position }) => position <= end);
      if (wanted.length > 0) yield wanted;
      if (upTo >= end) return;
    }
  } finally {
    pages.destroy();
    taken();
    await subscription.stop();
  }
}
