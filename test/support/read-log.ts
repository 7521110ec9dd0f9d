import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';

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

  /** Returns all events after a position, in the order of the log. */
  async since(after: bigint | undefined): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for await (const page of wholeLog(this.eventStore, await this.position(), undefined, after))
      events.push(...page);
    return events;
  }

  /** Returns the events after a position whose command came from this caller. */
  async madeBy(actor: string, after: bigint | undefined): Promise<LoggedEvent[]> {
    return (await this.since(after)).filter(({ metadata }) => metadata.actor === actor);
  }

  /** The position of the last event. */
  position(): Promise<bigint | undefined> {
    return this.eventStore.lastPosition();
  }

  /** Copies the first event of a stream to another one, which no rule of the product knows if it has another category. */
  async copyFirst(from: string, to: string): Promise<void> {
    const [first] = await this.events(from);
    if (first === undefined) throw new Error(`${from} has no event`);
    await this.eventStore.append(to, 'no_stream', [first]);
  }

  close(): Promise<void> {
    return this.eventStore.close();
  }
}
