import {
  type Appended,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type LoggedEvent,
  LogFull,
  type ReadStreamOptions,
  type SubscribeOptions,
  type Subscription,
} from '#event-store/event-store.js';
import type { WriteHealth } from '../errors/write-health.js';
import type { OwnWrites } from '../http/own-writes.js';
import type { Metrics } from './metrics.js';

/** Returns the part of a stream's name before the first `-`, which never contains an id (SPEC P6). */
const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** An event store that counts this process's appends, and reports them to `WriteHealth` and `OwnWrites`. */
export class CountedEventStore implements EventStore {
  constructor(
    private readonly log: EventStore,
    private readonly metrics: Metrics,
    private readonly writes: WriteHealth,
    private readonly ownWrites: OwnWrites,
  ) {}

  get epoch(): number {
    return this.log.epoch;
  }

  get clock(): EventStore['clock'] {
    return this.log.clock;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const appended = await this.log.append(stream, expected, events).catch((cause: unknown) => {
      if (cause instanceof LogFull) this.writes.noteFull();
      throw cause;
    });
    this.writes.noteSuccess();
    this.ownWrites.noteAppend(appended.position);
    this.metrics.eventsAppended.inc({ category: categoryOf(stream) }, events.length);
    return appended;
  }

  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<LoggedEvent> {
    return this.log.readStream(stream, options);
  }

  lastOf(stream: string): Promise<LoggedEvent | undefined> {
    return this.log.lastOf(stream);
  }

  lastPosition(): Promise<bigint | undefined> {
    return this.log.lastPosition();
  }

  subscribe(options: SubscribeOptions): Subscription {
    return this.log.subscribe(options);
  }

  eventAt(position: bigint): Promise<LoggedEvent | undefined> {
    return this.log.eventAt(position);
  }

  ping(): Promise<void> {
    return this.log.ping();
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
