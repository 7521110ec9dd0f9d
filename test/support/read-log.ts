import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';

/** Reads the log of a service directly from the event store. */
export class LogReader {
  readonly eventStore: EventStore;

  constructor(url: string) {
    this.eventStore = connectEventStore(url);
  }

  async events(stream: string): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for await (const event of this.eventStore.readStream(stream)) events.push(event);
    return events;
  }

  async types(stream: string): Promise<string[]> {
    return (await this.events(stream)).map(({ type }) => type);
  }

  close(): Promise<void> {
    return this.eventStore.close();
  }
}
