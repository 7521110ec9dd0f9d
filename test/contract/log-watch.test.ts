import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { OwnWrites } from '#apps/api/platform/http/own-writes.js';
import { LogWatch } from '#apps/api/platform/log-watch.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { openLogger } from '#platform/start/logger.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

/** Longer than a difference has to last. */
const LASTS_MS = 4_500;

const folder = temporaryFolder('log-watch');
let server: TestServer;
let store: EventStore;

beforeAll(async () => {
  server = await startOwnEventStore();
  store = connectEventStore(server.url);
});
afterAll(async () => {
  await store?.close();
  await server?.stop();
  folder.remove();
});

test('a process that appends while the log is compared after a lost connection does not take it for another one', async () => {
  const ownWrites = new OwnWrites();
  let epoch = 1;
  let asked = 0;
  const busy = new Proxy(store, {
    get: (target, name) => {
      if (name === 'epoch') return epoch;
      if (name === 'lastPosition')
        return async () => {
          const end = (await target.lastPosition()) ?? 0n;
          // While the answer is on its way, another append is acknowledged.
          const id = `00000000-0000-4000-8000-${String((asked += 1)).padStart(12, '0')}`;
          const event = { id, type: 'noted', data: {}, metadata: {} as never };
          ownWrites.noteAppend((await target.append(id, 'no_stream', [event])).position);
          return end;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const config = { dataDir: folder.path };
  const names = { open: () => Promise.resolve() };
  const watch = new LogWatch(
    config as never,
    openLogger('silent'),
    busy,
    ownWrites,
    names as never,
  );
  await watch.start();
  epoch += 1;
  const outcome = await Promise.race([
    watch.failed.catch((cause: Error) => cause.message),
    delay(LASTS_MS, 'goes on'),
  ]);
  await watch.onApplicationShutdown();
  expect([outcome, asked > 0]).toStrictEqual(['goes on', true]);
});
