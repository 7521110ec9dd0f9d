import { Readable } from 'node:stream';
import type { EventStore, LoggedEvent } from './event-store.js';
import { unavailable } from './reading.js';

/** After so many broken subscriptions in a row the server counts as gone. */
const PATIENCE = 10;

/** Events, and the position up to which the log has been read with them. */
interface Page {
  readonly events: readonly LoggedEvent[];
  readonly upTo: bigint;
}

/**
 * Every event up to a position, in the log's order, a page at a time; the next page is read when this one is
 * done. Events of `$` streams are not among them. Fails with `EventStoreUnavailable` when the server is gone,
 * and with an `AbortError` when the signal is aborted.
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
