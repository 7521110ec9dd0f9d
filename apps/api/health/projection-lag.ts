import type { EventStore } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';

const TIMEOUT_MS = 2_000;

/**
 * Returns the age in seconds of the first event after a position of the log; 0 if no event follows. Positions
 * have another unit on each server (bytes on EventStoreDB, events on the embedded node), and seconds do not.
 * Fails if the event store does not answer within 2 s.
 * @param end the position of the log's last event
 */
export async function ageOfFirstAfter(
  eventStore: EventStore,
  position: bigint | undefined,
  end: bigint | undefined,
): Promise<number> {
  if (end === undefined || (position !== undefined && position >= end)) return 0;
  const pages = wholeLog(eventStore, end, AbortSignal.timeout(TIMEOUT_MS), position);
  for await (const events of pages)
    for (const { metadata } of events) {
      // An event of another program may have no time.
      const recordedAt = Date.parse(String(metadata.recorded_at));
      if (!Number.isNaN(recordedAt)) return Math.max(0, Date.now() - recordedAt) / 1_000;
    }
  return 0;
}
