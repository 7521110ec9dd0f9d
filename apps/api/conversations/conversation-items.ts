import { Inject, Injectable } from '@nestjs/common';
import type { ConversationEvent } from '#domain/conversation/events.js';
import { type ItemRun, type Range, type Run, runsIn } from '#domain/conversation/item-runs.js';
import type { Held } from '#domain/held.js';
import { BEFORE_FIRST, verifyLink } from '#event-store/codec.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { EVENT_STORE } from '../platform/tokens.js';

/** Events between two needed ones that are read along, so that one read serves both. */
const MAX_GAP = 64;

/** An item as it is recorded. */
export interface RecordedItem {
  readonly index: number;
  readonly held: Held;
  readonly at: string;
}

/** Reads the items of conversations from their events. */
@Injectable()
export class ConversationItems {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /**
   * Returns the items of a range, oldest first. @throws EventStoreUnavailable, and Refusal
   * INTEGRITY_FAILURE if an event was changed
   */
  async read(stream: string, last: ItemRun | undefined, range: Range): Promise<RecordedItem[]> {
    const runs = runsIn(last, range);
    const events = await this.eventsOf(stream, runs);
    let index = range.from;
    return runs.flatMap((run) => {
      const { items, at } = itemsOf(events, run);
      return items.map((held) => ({ index: index++, held, at }));
    });
  }

  /** Returns one item by the event that holds it and its place there. Fails as `read` does. */
  async at(stream: string, { event, place }: Pick<Run, 'event' | 'place'>): Promise<Held> {
    const run = { event, place, count: 1 };
    const [held] = itemsOf(await this.eventsOf(stream, [run]), run).items;
    if (held === undefined)
      throw new Error(`event ${event} of a conversation has no item ${place}`);
    return held;
  }

  /** Reads the events of the runs, in as few reads as their numbers allow. */
  private async eventsOf(
    stream: string,
    runs: readonly Run[],
  ): Promise<ReadonlyMap<number, LoggedEvent>> {
    const events = new Map<number, LoggedEvent>();
    const spans = spansOf(runs.map(({ event }) => event));
    for (const { from, to } of spans) {
      // The event before the span has the hash that its first event is chained to.
      const start = Math.max(0, from - 1);
      let previous: { number: number; hash: string } | undefined =
        start === from ? BEFORE_FIRST : undefined;
      const limit = to - start + 1;
      for await (const event of this.eventStore.readStream(stream, { from: start, limit })) {
        if (previous !== undefined) verifyLink(previous, event);
        previous = { number: event.number, hash: event.metadata.hash };
        events.set(event.number, event);
      }
    }
    return events;
  }
}

/** Returns the ranges of numbers that cover the given ones, both ends included. */
function spansOf(numbers: readonly number[]): Range[] {
  const spans: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const span = spans.at(-1);
    if (span !== undefined && number - span.to <= MAX_GAP) span.to = number;
    else spans.push({ from: number, to: number });
  }
  return spans;
}

function itemsOf(events: ReadonlyMap<number, LoggedEvent>, { event, place, count }: Run) {
  const data = events.get(event)?.data as ConversationEvent['data'] | undefined;
  if (data === undefined || !('items' in data))
    throw new Error(`event ${event} of a conversation holds no items`);
  return { items: data.items.slice(place, place + count), at: data.at };
}
