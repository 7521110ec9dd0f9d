import { Readable } from 'node:stream';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';

/** After so many broken subscriptions in a row the server counts as gone. */
const PATIENCE = 10;

/**
 * Every event up to a position, in the log's order, a page at a time; the next page is read when this one is
 * done. Events of `$` streams are not among them.
 */
export async function* wholeLog(
  store: EventStore,
  end: bigint | undefined,
): AsyncGenerator<readonly LoggedEvent[]> {
  if (end === undefined) return;
  let taken = (): void => undefined;
  let broken = 0;
  const pages = new Readable({ objectMode: true, highWaterMark: 1, read: () => taken() });
  const subscription = store.subscribe({
    after: undefined,
    onEvents: async (events) => {
      broken = 0;
      if (pages.destroyed || pages.push(events)) return;
      await new Promise<void>((resolve) => (taken = resolve));
    },
    onResubscribe: (cause) => {
      broken += 1;
      if (broken > PATIENCE)
        pages.destroy(cause instanceof Error ? cause : new Error(String(cause)));
    },
  });
  try {
    for await (const page of pages as AsyncIterable<readonly LoggedEvent[]>) {
      const wanted = page.filter(({ position }) => position <= end);
      if (wanted.length > 0) yield wanted;
      if (page.at(-1)!.position >= end) return;
    }
  } finally {
    pages.destroy();
    taken();
    await subscription.stop();
  }
}
