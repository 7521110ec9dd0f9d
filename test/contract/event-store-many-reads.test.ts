import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, EventToAppend } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { startTestEventStore, type TestServer } from '#test/support/servers.js';
import { metadataOf } from './read-model-world.js';

const EVENTS = 40;
const STREAM = `many-${randomUUID()}`;

let server: TestServer;
let eventStore: EventStore;

const large = (): EventToAppend => ({
  id: randomUUID(),
  type: 'grown',
  data: { text: 'x'.repeat(15_000) },
  metadata: metadataOf(),
});

beforeAll(async () => {
  server = await startTestEventStore();
  eventStore = connectEventStore(server.url);
  await eventStore.append(STREAM, 'no_stream', Array.from({ length: EVENTS }, large));
});

afterAll(async () => {
  await eventStore.close();
  await server.stop();
});

async function inParallel(times: number, read: () => Promise<void>): Promise<void> {
  let left = times;
  const work = async (): Promise<void> => {
    while (left-- > 0) await read();
  };
  await Promise.all(Array.from({ length: 32 }, work));
}

test('thousands of short reads of a stream and of the log do not break the connection', async () => {
  await inParallel(1_000, async () => {
    expect((await eventStore.lastOf(STREAM))?.number).toBe(EVENTS - 1);
    expect(typeof (await eventStore.lastPosition())).toBe('bigint');
  });
});

test('a hundred reads of large events that the reader stops early do not break the connection', async () => {
  for (let times = 0; times < 100; times += 1) {
    for await (const { number } of eventStore.readStream(STREAM)) {
      expect(number).toBe(0);
      break;
    }
  }
  let read = 0;
  for await (const _ of eventStore.readStream(STREAM)) read += 1;
  expect(read).toBe(EVENTS);
});

test('thousands of reads from the end that the reader stops early do not break the connection', async () => {
  await inParallel(3_000, async () => {
    for await (const { number } of newestFirst(eventStore, STREAM)) {
      expect(number).toBe(EVENTS - 1);
      break;
    }
  });
});

test('thousands of reads of one event that the reader leaves at it do not break the connection', async () => {
  const { epoch } = eventStore;
  await inParallel(3_000, async () => {
    for await (const { number } of eventStore.readStream(STREAM, { from: 0, limit: 1 })) {
      expect(number).toBe(0);
      break;
    }
  });
  expect(eventStore.epoch).toBe(epoch);
});

test('a read from the end yields every event once, also across its pages and from a number', async () => {
  const numbers = async (from?: number): Promise<number[]> => {
    const read: number[] = [];
    for await (const { number } of newestFirst(eventStore, STREAM, from)) read.push(number);
    return read;
  };
  const downFrom = (last: number) => Array.from({ length: last + 1 }, (_, index) => last - index);
  expect(await numbers()).toStrictEqual(downFrom(EVENTS - 1));
  for (const from of [0, 3, 4, 19, 20]) expect(await numbers(from)).toStrictEqual(downFrom(from));
  for await (const _ of newestFirst(eventStore, `none-${STREAM}`)) throw new Error('no event');
});
