import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventStoreHealth } from '#apps/api/health/indicators.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { ClockAhead, type EventStore } from '#event-store/event-store.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { metadataOf } from './read-model-world.js';

let server: TestServer;
let eventStore: EventStore;

beforeAll(async () => {
  // What is written here follows no event, so a read model would stop at it.
  server = await startOwnEventStore();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await eventStore.close();
});
afterAll(() => server?.stop());

/** Sets the clock of this process forward, or back, by some ms. */
function setClock(byMs: number): void {
  jest.restoreAllMocks();
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
}

const write = () =>
  eventStore.append(`sem-${randomUUID()}`, 'no_stream', [
    { id: randomUUID(), type: 'key_claimed', data: {}, metadata: metadataOf() },
  ]);
const health = async () => {
  const watch = { state: { version: '1', faults: [] }, look: async () => undefined };
  return (await eventStoreHealth(eventStore, watch as never))['event_store'];
};

test('a process whose clock is 10 s ahead of the event store’s is not ready and writes nothing, until it is right again', async () => {
  eventStore = connectEventStore(server.url);
  setClock(10_000);
  await eventStore.ping();
  await expect(write()).rejects.toBeInstanceOf(ClockAhead);
  expect(await health()).toMatchObject({
    status: 'down',
    reason: expect.stringMatching(/^The clock of this machine is (8|9|10) s ahead/),
  });
  setClock(0);
  expect(await health()).toMatchObject({ status: 'up' });
  await write();
});

test.each([3_000, 0, -2_000])('a process whose clock is %d ms ahead writes', async (byMs) => {
  eventStore = connectEventStore(server.url);
  setClock(byMs);
  await eventStore.ping();
  await write();
  expect(await health()).toMatchObject({ status: 'up' });
});
