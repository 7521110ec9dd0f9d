import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Postgres } from '#read-model/postgres.js';
import { chained } from '#test/contract/aggregate-store-counter.js';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
  type TestServer,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { AppendGate } from './support/append-gate.js';
import { restartWithQuota } from './support/restart-with-quota.js';

const gate = new AppendGate();
let eventStore: OwnEventStore;
let postgres: TestServer;
let log: LogReader;
let rows: Postgres;
let slow: TestService;
let fast: TestService;

beforeAll(async () => {
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
  log = new LogReader(eventStore.url);
  rows = new Postgres({ url: postgres.url, maxConnections: 1 });
  const servers = { eventStore, postgres };
  slow = await TestService.start({ servers, more: [gate.module] });
  fast = await TestService.start({ servers });
});
afterAll(async () => {
  await slow?.stop();
  await fast?.stop();
  await log?.close();
  await rows?.close();
  await Promise.all([eventStore?.stop(), postgres?.stop()]);
});

const FACT = 'sem/world/fact/twice/value';

it('F2 a refused write without an Idempotency-Key that two instances replay at the same time is written once, and its stream goes on', async () => {
  const [here, there] = [await Caller.of(slow, 'admin'), await Caller.of(fast, 'admin')];
  await restartWithQuota(eventStore, slow, 0);
  await here.refused('STORAGE_FULL', 'PUT', FACT, { body: { value: 'refused' } });
  await restartWithQuota(eventStore, slow, undefined);
  const { entries } = await here.get<{ entries: { id: string }[] }>('admin/queue');
  const retry = `admin/queue/${entries[0]!.id}/retry`;

  const held = gate.next('sem');
  const slowRetry = here.post(retry);
  await held.arrived;
  // The first instance has the write for 60 s. It is slower than that.
  await rows.query("update admin_queue.refused_write set leased_until = 'epoch'");
  await there.post(retry);
  held.release();
  await slowRetry;
  await here.did('PUT', FACT, { body: { value: 'next' } });

  const written = await chained(log.eventStore, FACT.replace('/', '-'));
  expect(written).toHaveLength(2);
  expect((await there.get(FACT))['value']).toBe('next');
});
