import { conversationDecider } from '#domain/conversation/conversation.decider.js';
import { eventOf } from '#domain/upcast.js';
import { Inject, Injectable } from '@nestjs/common';
import { type ItemRun, type Range, type Run, runsIn } from '#domain/conversation/item-runs.js';
import type { Held } from '#domain/held.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { readNumbered } from '#event-store/numbered-events.js';
import { EVENT_STORE } from '../platform/tokens.js';

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

  private eventsOf(stream: string, runs: readonly Run[]) {
    return readNumbered(
      this.eventStore,
      stream,
      runs.map(({ event }) => event),
    );
  }
}

function itemsOf(events: ReadonlyMap<number, LoggedEvent>, { event, place, count }: Run) {
  const stored = events.get(event);
  const data = stored && eventOf(conversationDecider, stored).data;
  if (data === undefined || !('items' in data))
    throw new Error(`event ${event} of a conversation holds no items`);
  return { items: data.items.slice(place, place + count), at: data.at };
}
