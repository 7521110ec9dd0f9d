import { AppendCall } from './append-call.js';
import { Connection, type Link } from './connection.js';
import { parseConnectionString } from './connection-string.js';
import {
  type Appended,
  ClockAhead,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type LoggedEvent,
  NoSuchPosition,
  type ReadStreamOptions,
  type SubscribeOptions,
  type Subscription,
} from './event-store.js';
import {
  readAllBackwardsRequest,
  readAllFromRequest,
  readResponse,
  readStreamRequest,
} from './protocol/read.js';
import { isNoPosition, responsesTo, unavailable } from './reading.js';
import type { ServerClock } from './server-clock.js';
import { FollowingSubscription } from './subscription.js';

/** The timeouts of an event store's connection, all in milliseconds. */
export interface EventStoreOptions {
  /** After this time, the outcome of an append counts as unknown. */
  readonly appendTimeoutMs?: number;
  /** The maximum time without an answer during a read. */
  readonly readTimeoutMs?: number;
  /** The time without events after which a subscription compares its position with the log's end. */
  readonly silenceMs?: number;
}

/**
 * Connects to EventStoreDB, or to the embedded node, with a connection string such as
 * `esdb://127.0.0.1:2113?tls=false`. Sends nothing before the first call. @throws BadConnectionString.
 */
export const connectEventStore = (url: string, options: EventStoreOptions = {}): EventStore =>
  new EventStoreDb(url, {
    appendTimeoutMs: 5000,
    readTimeoutMs: 5000,
    silenceMs: 10_000,
    ...options,
  });

const UNLIMITED = Number.MAX_SAFE_INTEGER;

interface Appends {
  readonly link: Link;
  readonly opening: Promise<AppendCall>;
  /** The call for appends; undefined until it is open. */
  call?: AppendCall;
}

/**
 * Every read is consumed to its end, even a read of one event. A call that is abandoned is reset, and a
 * server that sees a thousand resets in a short time closes the connection with all its calls.
 */
class EventStoreDb implements EventStore {
  readonly #connection: Connection;
  readonly #subscriptions = new Set<Subscription>();
  #appends: Appends | undefined;

  constructor(
    url: string,
    private readonly options: Required<EventStoreOptions>,
  ) {
    this.#connection = new Connection(
      parseConnectionString(url),
      2 * Math.max(options.appendTimeoutMs, options.readTimeoutMs),
    );
  }

  get epoch(): number {
    return this.#connection.epoch;
  }

  get clock(): ServerClock {
    return this.#connection.clock;
  }

  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    if (this.clock.isAhead) return Promise.reject(new ClockAhead(this.clock.aheadMs));
    const appends = this.#appends;
    if (appends?.call?.isUsable && appends.link === this.#connection.link) {
      return appends.call.append(stream, expected, events);
    }
    return this.#appendCall().then((call) => call.append(stream, expected, events));
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<LoggedEvent> {
    const { from, backwards = false, limit = UNLIMITED } = options;
    if (limit <= 0) return;
    const request = readStreamRequest(stream, { from, backwards, count: limit });
    for await (const page of this.#responses(request, limit)) {
      for (const response of page) {
        const { event } = readResponse(response);
        if (event !== undefined) yield event;
      }
    }
  }

  async lastOf(stream: string): Promise<LoggedEvent | undefined> {
    let last: LoggedEvent | undefined;
    for await (const event of this.readStream(stream, { backwards: true, limit: 1 })) last = event;
    return last;
  }

  async lastPosition(): Promise<bigint | undefined> {
    for (let count = 1; ; count *= 8) {
      let seen = 0;
      let position: bigint | undefined;
      for await (const page of this.#responses(readAllBackwardsRequest(count))) {
        seen += page.length;
        for (const response of page) position ??= readResponse(response).event?.position;
      }
      if (position !== undefined || seen < count) return position;
    }
  }

  async eventAt(position: bigint): Promise<LoggedEvent | undefined> {
    let found: LoggedEvent | undefined;
    try {
      for await (const page of this.#responses(readAllFromRequest(position)))
        for (const response of page) found ??= readResponse(response).event;
      return found?.position === position ? found : undefined;
    } catch (cause) {
      throw isNoPosition(cause) ? new NoSuchPosition(position, { cause }) : cause;
    }
  }

  subscribe(options: SubscribeOptions): Subscription {
    const following = new FollowingSubscription(
      this.#connection,
      options,
      { openMs: this.options.readTimeoutMs, silenceMs: this.options.silenceMs },
      () => this.lastPosition(),
    );
    const subscription: Subscription = {
      stop: async () => {
        this.#subscriptions.delete(subscription);
        await following.stop();
      },
    };
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async ping(): Promise<void> {
    await this.#probe(this.#connection.link);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    this.#connection.close();
  }

  #responses(
    request: Buffer,
    limit = UNLIMITED,
    link = this.#connection.link,
  ): ReturnType<typeof responsesTo> {
    const { readTimeoutMs } = this.options;
    return responsesTo(request, link, limit, readTimeoutMs, () => this.#connection.retire(link));
  }

  async #probe(link: Link): Promise<void> {
    for await (const _ of this.#responses(readAllBackwardsRequest(1), 1, link));
  }

  /**
   * Returns the call for appends. It opens a new one only after the server has answered a read on the
   * same connection: from then on, an append that could not be sent is known not to be written.
   */
  async #appendCall(): Promise<AppendCall> {
    const link = this.#connection.link;
    if (this.#appends?.link !== link) this.#appends = { link, opening: this.#openAppends(link) };
    const appends = this.#appends;
    try {
      appends.call = await appends.opening;
      if (appends.call.isUsable) return appends.call;
    } catch (cause) {
      if (this.#appends === appends) this.#appends = undefined;
      throw unavailable(cause);
    }
    if (this.#appends === appends) this.#appends = undefined;
    return this.#appendCall();
  }

  async #openAppends(link: Link): Promise<AppendCall> {
    await this.#probe(link);
    return AppendCall.open(link, this.options.appendTimeoutMs, () => this.#connection.retire(link));
  }
}
