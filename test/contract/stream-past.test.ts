import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, ReadStreamOptions } from '#event-store/event-store.js';
import { countAt, readUpTo } from '#event-store/stream-past.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { metadataOf } from './read-model-world.js';

const STREAMS = ['job-a', 'job-b', 'job-c'];
const EVENTS = 23;

let server: TestServer;
let eventStore: EventStore;
const written: { readonly stream: string; readonly position: bigint }[] = [];

beforeAll(async () => {
  server = await startOwnEventStore();
  eventStore = connectEventStore(server.url);
  for (let number = 0; number < EVENTS; number += 1)
    for (const stream of STREAMS.slice(0, 2)) {
      const event = { id: randomUUID(), type: 'ticked', data: {}, metadata: metadataOf() };
      const expected = number === 0 ? 'no_stream' : number - 1;
      const { position } = await eventStore.append(stream, expected, [event]);
      written.push({ stream, position });
    }
});

afterAll(async () => {
  await eventStore?.close();
  await server?.stop();
});

/** The reads that were left before their end. */
let abandoned = 0;
const watched = {
  lastOf: (stream: string) => eventStore.lastOf(stream),
  async *readStream(stream: string, options?: ReadStreamOptions) {
    let hasEnded = false;
    try {
      yield* eventStore.readStream(stream, options);
      hasEnded = true;
    } finally {
      if (!hasEnded) abandoned += 1;
    }
  },
};

test('at each position, a stream has the events that were written up to it, and no read is left before its end', async () => {
  for (const { position } of [{ position: -1n }, ...written])
    for (const stream of STREAMS) {
      const there = written.filter((one) => one.stream === stream && one.position <= position);
      expect(await countAt(watched, stream, position)).toBe(there.length);
      const positions: bigint[] = [];
      for await (const event of readUpTo(watched, stream, position)) positions.push(event.position);
      expect(positions).toStrictEqual(there.map((one) => one.position));
    }
  expect(abandoned).toBe(0);
});
