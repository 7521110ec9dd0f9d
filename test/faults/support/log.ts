import type { EventStore, LoggedEvent } from '#event-store/event-store.js';

/**
 * Returns all events of the log after a position by stream, in order, without the streams whose names begin
 * with `$`.
 */
export async function streamsOf(
  log: EventStore,
  after?: bigint,
): Promise<ReadonlyMap<string, LoggedEvent[]>> {
  const streams = new Map<string, LoggedEvent[]>();
  const end = await log.lastPosition();
  if (end === undefined || end === after) return streams;
  let arrived: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (arrived = resolve));
  const subscription = log.subscribe({
    after,
    onEvents: async (events) => {
      for (const event of events) {
        const stream = streams.get(event.stream);
        if (stream === undefined) streams.set(event.stream, [event]);
        else stream.push(event);
        if (event.position >= end) arrived();
      }
    },
  });
  await all;
  await subscription.stop();
  return streams;
}

export const eventsIn = async (log: EventStore, stream: string): Promise<LoggedEvent[]> => {
  const events: LoggedEvent[] = [];
  for await (const event of log.readStream(stream)) events.push(event);
  return events;
};
