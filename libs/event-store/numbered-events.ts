import { BEFORE_FIRST, verifyLink } from './codec.js';
import type { EventStore, LoggedEvent } from './event-store.js';

/** Events between two needed ones that are read along, so that one read serves both. */
const MAX_GAP = 64;

interface Span {
  readonly from: number;
  to: number;
}

/** Returns the ranges of numbers that cover the given ones, both ends included. */
function spansOf(numbers: Iterable<number>): Span[] {
  const spans: Span[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const span = spans.at(-1);
    if (span !== undefined && number - span.to <= MAX_GAP) span.to = number;
    else spans.push({ from: number, to: number });
  }
  return spans;
}

/**
 * Reads events of a stream by their numbers, in as few reads as the numbers allow, and verifies their hashes.
 * @throws EventStoreUnavailable, and Refusal INTEGRITY_FAILURE if an event was changed
 */
export async function readNumbered(
  eventStore: EventStore,
  stream: string,
  numbers: Iterable<number>,
): Promise<ReadonlyMap<number, LoggedEvent>> {
  const events = new Map<number, LoggedEvent>();
  for (const { from, to } of spansOf(numbers)) {
    // The event before the span has the hash that its first event is chained to.
    const start = Math.max(0, from - 1);
    let previous: { number: number; hash: string } | undefined =
      start === from ? BEFORE_FIRST : undefined;
    const limit = to - start + 1;
    for await (const event of eventStore.readStream(stream, { from: start, limit })) {
      if (previous !== undefined) verifyLink(previous, event);
      previous = { number: event.number, hash: event.metadata.hash };
      events.set(event.number, event);
    }
  }
  return events;
}
