import type { EventStore, LoggedEvent } from './event-store.js';

type Streams = Pick<EventStore, 'lastOf' | 'readStream'>;

/** Returns how many events a stream had at a position of the log, by halving: positions rise with the numbers. */
export async function countAt(store: Streams, stream: string, position: bigint): Promise<number> {
  const last = await store.lastOf(stream);
  if (last === undefined) return 0;
  if (last.position <= position) return last.number + 1;
  let [least, most] = [0, last.number];
  while (least < most) {
    const middle = (least + most) >> 1;
    let isBefore = false;
    for await (const event of store.readStream(stream, { from: middle, limit: 1 }))
      isBefore = event.position <= position;
    if (isBefore) least = middle + 1;
    else most = middle;
  }
  return least;
}

/**
 * Yields the events that a stream had at a position of the log. It counts them first and reads no further: many reads that
 * are left before their end would break the connection.
 */
export async function* readUpTo(
  store: Streams,
  stream: string,
  position: bigint,
): AsyncGenerator<LoggedEvent, void, undefined> {
  yield* store.readStream(stream, { limit: await countAt(store, stream, position) });
}
