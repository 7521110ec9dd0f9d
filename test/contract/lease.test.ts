import { expect, test } from '@jest/globals';
import { Lease } from '#read-model/lease.js';
import { Postgres } from '#read-model/postgres.js';
import { startProxy } from '#test/support/proxy.js';
import { startEmptyPostgres } from '#test/support/servers.js';
import { until } from './read-model-world.js';

test('one instance at a time holds a lease, and another gets it when the holder releases it or falls silent', async () => {
  const server = await startEmptyPostgres();
  const proxy = await startProxy(server.url);
  const postgres = new Postgres({ url: server.url });
  const proxied = new Postgres({ url: proxy.url });
  const here = new Lease(postgres, 'work');
  const there = new Lease(proxied, 'work');
  expect([await here.isHeld(), await there.isHeld()]).toStrictEqual([true, false]);
  await here.release();
  expect([await there.isHeld(), await here.isHeld()]).toStrictEqual([true, false]);
  proxy.stall();
  await until(() => here.isHeld());
  proxy.cut();
  await until(async () => !(await there.isHeld()));
  await Promise.all([here.release(), there.release()]);
  await Promise.all([postgres.close(), proxied.close()]);
  await proxy.stop();
  await server.stop();
});
