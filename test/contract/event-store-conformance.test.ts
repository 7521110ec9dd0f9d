import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConnectionString } from '#event-store/connection-string.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import {
  type EventStore,
  type EventToAppend,
  EventStoreUnavailable,
  type LoggedEvent,
  RevisionConflict,
  type SubscribeOptions,
} from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { JsonObject } from '#domain/json.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { collected } from './event-store-collected.js';
import { startProxy } from '#test/support/proxy.js';
import { ensure } from '#test/support/ensure.js';

let server: TestServer;
let url: string;
let store: EventStore;

beforeAll(async () => {
  server = await startTestEventStore();
  ({ url } = server);
  store = connectEventStore(url);
});
afterAll(async () => {
  await store.close();
  await server.stop();
});

const anEvent = (data: JsonObject = {}, type = 'noted'): EventToAppend => ({
  id: randomUUID(),
  type,
  data,
  metadata: { command_id: 'c', hash: 'h' } as EventToAppend['metadata'],
});
const someEvents = (count: number): EventToAppend[] =>
  Array.from({ length: count }, (_, number) => anEvent({ number }));
const newStream = (): string => `conformance-${randomUUID()}`;
const numbers = (events: readonly LoggedEvent[]): number[] => events.map(({ number }) => number);
const readAll = (...args: Parameters<EventStore['readStream']>): Promise<LoggedEvent[]> =>
  collected(store.readStream(...args));

/** Writes metadata of the stream `count` times; each write is an event of the stream's system stream. */
async function writeSystemEvents(stream: string, count: number): Promise<void> {
  const client = EventStoreDBClient.connectionString(parseConnectionString(url).official);
  // Sends 100 requests at a time, so that no request waits long for its answer.
  for (let written = 0; written < count; written += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - written) }, (_, index) =>
        client.setStreamMetadata(stream, { written: written + index }),
      ),
    );
  await client.dispose();
}

describe('Appending', () => {
  it('An event is read back as it was written, with its number and its position', async () => {
    const stream = newStream();
    const data = {
      text: 'naïve 😀 "quoted"\n',
      list: [1, -0.5, 1e21, null, true],
      nested: { a: {} },
    };
    const event = anEvent(data);
    const appended = await store.append(stream, 'no_stream', [event]);
    expect(appended.revision).toBe(0);
    const [read] = await readAll(stream);
    expect(read).toStrictEqual({ ...event, stream, number: 0, position: appended.position });
  });

  it('EventStoreDB and its tools can read an event as JSON', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', [anEvent({ readable: true })]);
    const client = EventStoreDBClient.connectionString(url);
    for await (const { event } of client.readStream(stream, { maxCount: 1 })) {
      ensure(event?.isJson === true);
      expect(event.data).toStrictEqual({ readable: true });
      expect(event.metadata).toStrictEqual({ command_id: 'c', hash: 'h' });
    }
    await client.dispose();
  });

  it('Several events in one append get consecutive numbers', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(2));
    expect((await store.append(stream, 1, someEvents(3))).revision).toBe(4);
    expect(numbers(await readAll(stream))).toStrictEqual([0, 1, 2, 3, 4]);
  });

  it('An append with no_stream to an existing stream is a conflict and writes no event', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(2));
    await expect(store.append(stream, 'no_stream', someEvents(3))).rejects.toMatchObject({
      name: 'RevisionConflict',
      stream,
      expected: 'no_stream',
      actual: 1,
    });
    expect(await readAll(stream)).toHaveLength(2);
  });

  it('An append at a wrong revision is a conflict that names the last revision', async () => {
    const stream = newStream();
    await expect(store.append(stream, 4, someEvents(1))).rejects.toMatchObject({
      name: 'RevisionConflict',
      actual: 'no_stream',
    });
    await store.append(stream, 'no_stream', someEvents(3));
    for (const expected of [0, 1, 3]) {
      await expect(store.append(stream, expected, someEvents(1))).rejects.toThrow(RevisionConflict);
    }
  });

  it('The same events at the same revision are acknowledged again and written once', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(1));
    const events = someEvents(2);
    const first = await store.append(stream, 0, events);
    expect(await store.append(stream, 0, events)).toStrictEqual(first);
    await store.append(stream, 2, someEvents(1));
    expect((await store.append(stream, 0, events)).revision).toBe(2);
    expect(await readAll(stream)).toHaveLength(4);
  });

  it('An append of nearly 900 KiB is written completely', async () => {
    const stream = newStream();
    const events = Array.from({ length: 3 }, () => anEvent({ text: 'x'.repeat(298 * 1024) }));
    await store.append(stream, 'no_stream', events);
    expect(await readAll(stream)).toHaveLength(3);
  });

  it('A thousand concurrent appends on a new connection all succeed', async () => {
    const fresh = connectEventStore(url);
    const streams = Array.from({ length: 1000 }, newStream);
    const appended = await Promise.all(
      streams.map((stream) => fresh.append(stream, 'no_stream', someEvents(1))),
    );
    expect(new Set(appended.map(({ position }) => position)).size).toBe(1000);
    await fresh.close();
  });
});

describe('Reading', () => {
  it('A stream is read from any number, in both directions, up to a limit', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(10));
    expect(numbers(await readAll(stream, { from: 7 }))).toStrictEqual([7, 8, 9]);
    expect(numbers(await readAll(stream, { from: 2, limit: 3 }))).toStrictEqual([2, 3, 4]);
    expect(numbers(await readAll(stream, { backwards: true, limit: 2 }))).toStrictEqual([9, 8]);
    expect(numbers(await readAll(stream, { backwards: true, from: 1 }))).toStrictEqual([1, 0]);
    expect(numbers(await readAll(stream, { from: 10 }))).toStrictEqual([]);
    expect(numbers(await readAll(stream, { limit: 0 }))).toStrictEqual([]);
  });

  it('A slow reader gets a long stream completely and in order', async () => {
    const stream = newStream();
    for (let from = 0; from < 3000; from += 1000) {
      await store.append(stream, from === 0 ? 'no_stream' : from - 1, someEvents(1000));
    }
    let next = 0;
    for await (const event of store.readStream(stream)) {
      expect(event.number).toBe(next);
      next += 1;
      if (next % 700 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(next).toBe(3000);
  });

  it('A reader may stop early', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(2000));
    for await (const event of store.readStream(stream)) if (event.number === 3) break;
    expect((await store.lastOf(stream))?.number).toBe(1999);
  });

  it('A stream that does not exist is empty and has no last event', async () => {
    expect(await readAll(newStream())).toStrictEqual([]);
    expect(await store.lastOf(newStream())).toBeUndefined();
  });

  it('The last position is the position of the last event outside the system streams', async () => {
    const stream = newStream();
    const { position } = await store.append(stream, 'no_stream', someEvents(1));
    await writeSystemEvents(stream, 100);
    expect(await store.lastPosition()).toBe(position);
  });

  it('A running server answers a ping', async () => {
    await store.ping();
  });
});

/** Subscribes, by default from the end of the log, and collects the events. */
async function following(options: Partial<SubscribeOptions> = {}): Promise<{
  readonly events: LoggedEvent[];
  readonly until: (enough: (events: readonly LoggedEvent[]) => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
}> {
  const events: LoggedEvent[] = [];
  const waiting = new Set<() => void>();
  const subscription = store.subscribe({
    after: await store.lastPosition(),
    ...options,
    onEvents: async (batch) => {
      await options.onEvents?.(batch);
      events.push(...batch);
      for (const check of waiting) check();
    },
  });
  const until = (enough: (events: readonly LoggedEvent[]) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!enough(events)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { events, until, stop: () => subscription.stop() };
}

describe('Subscribing', () => {
  it('A subscription whose handler is slow keeps few large events', async () => {
    const stream = newStream();
    const after = await store.lastPosition();
    const large = () => ({ ...someEvents(1)[0]!, data: { text: 'x'.repeat(500_000) } });
    for (let number = -1; number < 59; number += 1)
      await store.append(stream, number < 0 ? 'no_stream' : number, [large()]);
    let most = 0;
    const slow = await following({
      after,
      onEvents: async (batch) => {
        most = Math.max(most, batch.length);
        await delay(50);
      },
    });
    await slow.until((events) => events.filter((event) => event.stream === stream).length === 60);
    await slow.stop();
    expect(most).toBeLessThan(10);
  });

  it('A subscription gets all events after a position in the order of the log, and then new events', async () => {
    const stream = newStream();
    const { position } = await store.append(stream, 'no_stream', someEvents(1));
    await store.append(stream, 0, someEvents(600));
    const live = await following({ after: position });
    const ours = (events: readonly LoggedEvent[]): LoggedEvent[] =>
      events.filter((event) => event.stream === stream);
    await live.until((events) => ours(events).length === 600);
    await store.append(stream, 600, someEvents(2));
    await live.until((events) => ours(events).length === 602);
    await live.stop();
    expect(numbers(ours(live.events))).toStrictEqual(
      Array.from({ length: 602 }, (_, index) => index + 1),
    );
    const positions = live.events.map((event) => event.position);
    expect(positions.every((at, index) => index === 0 || at > positions[index - 1]!)).toBe(true);
  });

  it('A subscription without a position begins at the start of the log', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(1));
    const live = await following({ after: undefined });
    await live.until((events) => events.some((event) => event.stream === stream));
    await live.stop();
  });

  it('A subscription reports when it has caught up', async () => {
    await store.append(newStream(), 'no_stream', someEvents(3));
    let subscription: Awaited<ReturnType<typeof following>> | undefined;
    await new Promise<void>((resolve, reject) => {
      following({ after: undefined, onCaughtUp: resolve }).then(
        (started) => (subscription = started),
        reject,
      );
    });
    await subscription?.stop();
  });

  it('A subscription leaves out system streams, and checkpoints move past them', async () => {
    const stream = newStream();
    const { position } = await store.append(stream, 'no_stream', someEvents(1));
    await writeSystemEvents(stream, 1100);
    let live: Awaited<ReturnType<typeof following>> | undefined;
    const checkpoint = await new Promise<bigint>((resolve, reject) => {
      following({ after: position, onCheckpoint: async (at) => resolve(at) }).then(
        (started) => (live = started),
        reject,
      );
    });
    expect(checkpoint).toBeGreaterThan(position);
    await live?.stop();
    expect(live?.events.every((event) => !event.stream.startsWith('$'))).toBeTruthy();
  });

  it('A slow handler gets one batch at a time, and later events wait for it', async () => {
    const stream = newStream();
    const after = await store.lastPosition();
    for (let from = 0; from < 4000; from += 1000) {
      await store.append(stream, from === 0 ? 'no_stream' : from - 1, someEvents(1000));
    }
    let running = 0;
    let largest = 0;
    const live = await following({
      after,
      onEvents: async (events) => {
        running += 1;
        expect(running).toBe(1);
        largest = Math.max(largest, events.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
      },
    });
    await live.until((events) => events.filter((event) => event.stream === stream).length === 4000);
    await live.stop();
    expect(largest).toBeGreaterThan(1);
    expect(largest).toBeLessThanOrEqual(500);
  });

  it('A handler gets no event after the subscription was stopped', async () => {
    const live = await following();
    await live.stop();
    await store.append(newStream(), 'no_stream', someEvents(1));
    await store.lastPosition();
    expect(live.events).toStrictEqual([]);
  });
});

describe('The whole log', () => {
  it('A read of the whole log yields every event up to a position once and in order, without system streams', async () => {
    const stream = newStream();
    await store.append(stream, 'no_stream', someEvents(1000));
    await writeSystemEvents(stream, 3);
    const { position } = await store.append(stream, 999, someEvents(200));
    await store.append(stream, 1199, someEvents(3));
    const pages = await collected(wholeLog(store, position));
    const events = pages.flat();
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every((page) => page.length > 0)).toBe(true);
    expect(events.at(-1)?.position).toBe(position);
    expect(
      events.every(({ position: at }, index) => index === 0 || at > events[index - 1]!.position),
    ).toBe(true);
    expect(events.every((event) => !event.stream.startsWith('$'))).toBe(true);
    const ours = events.filter((event) => event.stream === stream);
    expect(numbers(ours)).toStrictEqual(Array.from({ length: 1200 }, (_, index) => index));
  });

  it('A read of the whole log ends, even if its last position belongs to a system stream', async () => {
    const last = anEvent();
    const { position } = await store.append(newStream(), 'no_stream', [last]);
    await writeSystemEvents(newStream(), 1100);
    const events = (await collected(wholeLog(store, position + 1n))).flat();
    expect(events.at(-1)?.id).toBe(last.id);
  });

  it('A read of an empty log yields no page', async () => {
    expect(await collected(wholeLog(store, undefined))).toStrictEqual([]);
  });

  it('A reader of the whole log may stop after a page', async () => {
    const { position } = await store.append(newStream(), 'no_stream', someEvents(1200));
    let pages = 0;
    for await (const page of wholeLog(store, position)) {
      pages += page.length > 0 ? 1 : 0;
      break;
    }
    expect(pages).toBe(1);
  });

  it('A read of the whole log yields no page after an abort', async () => {
    const { position } = await store.append(newStream(), 'no_stream', someEvents(1200));
    const stopping = new AbortController();
    let pages = 0;
    const reading = async (): Promise<void> => {
      for await (const page of wholeLog(store, position, stopping.signal)) {
        pages += page.length > 0 ? 1 : 0;
        stopping.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    expect(pages).toBe(1);
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    expect(pages).toBe(1);
  });

  it('A read of the whole log fails as unavailable if one subscription after another breaks off', async () => {
    let stopped = 0;
    const breaking = {
      subscribe: ({ onResubscribe }: SubscribeOptions) => {
        for (let times = 0; times < 20; times += 1) onResubscribe?.(new Error('reset'));
        return { stop: async () => void (stopped += 1) };
      },
    } as unknown as EventStore;
    await expect(collected(wholeLog(breaking, 1n))).rejects.toThrow(EventStoreUnavailable);
    expect(stopped).toBe(1);
  });
});

describe('A connection that delivers small pieces', () => {
  it('Answers and events arrive complete, even if the connection delivers them in small pieces', async () => {
    const proxy = await startProxy(url, { cutUp: true });
    const through = connectEventStore(proxy.url);
    const streams = Array.from({ length: 20 }, newStream);
    const appended = await Promise.all(
      streams.map((stream) => through.append(stream, 'no_stream', someEvents(2))),
    );
    expect(new Set(appended.map(({ revision }) => revision))).toStrictEqual(new Set([1]));
    for (const stream of streams) {
      expect(await collected(through.readStream(stream))).toStrictEqual(
        await collected(store.readStream(stream)),
      );
    }
    await through.close();
    await proxy.stop();
  });
});

describe('A server that goes away and comes back', () => {
  it('Calls fail as unavailable while the server is away, and succeed later on the same connection', async () => {
    const proxy = await startProxy(url);
    const through = connectEventStore(proxy.url, { appendTimeoutMs: 2000, readTimeoutMs: 2000 });
    const stream = newStream();
    const seen: number[] = [];
    let caughtUp = (): void => undefined;
    const subscription = through.subscribe({
      after: await store.lastPosition(),
      onEvents: async (events) => {
        seen.push(...numbers(events.filter((event) => event.stream === stream)));
        if (seen.length === 2) caughtUp();
      },
    });
    await through.append(stream, 'no_stream', someEvents(1));
    proxy.disconnect();
    await expect(through.ping()).rejects.toThrow(EventStoreUnavailable);
    await expect(through.lastOf(stream)).rejects.toThrow(EventStoreUnavailable);
    await expect(through.append(stream, 0, someEvents(1))).rejects.toThrow(EventStoreUnavailable);
    await expect(through.lastPosition()).rejects.toThrow(EventStoreUnavailable);
    proxy.reconnect();
    const followed = new Promise<void>((resolve) => (caughtUp = resolve));
    while (
      !(await through.ping().then(
        () => true,
        () => false,
      ))
    );
    await through.append(stream, 0, someEvents(1));
    if (seen.length < 2) await followed;
    expect(seen).toStrictEqual([0, 1]);
    await subscription.stop();
    await through.close();
    await proxy.stop();
  });
});
