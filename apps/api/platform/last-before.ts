import type { EventStore } from '#event-store/event-store.js';

/** Returns the number of a stream’s last event before a position in the log; -1 without one. */
export async function lastBefore(
  eventStore: EventStore,
  stream: string,
  position: bigint,
): Promise<number> {
  for await (const event of eventStore.readStream(stream, { backwards: true }))
    if (event.position < position) return event.number;
  return -1;
}
