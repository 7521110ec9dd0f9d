import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Proxy, startProxy } from '#test/support/proxy.js';
import { type OwnServer, startOwnEventStore, startOwnPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

let eventStore: OwnServer;
let postgres: OwnServer;
let proxy: Proxy;
let service: TestService;

beforeAll(async () => {
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startOwnPostgres()]);
  proxy = await startProxy(postgres.url);
  service = await TestService.start({
    servers: { eventStore, postgres: { ...postgres, url: proxy.url } },
  });
});

afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await Promise.all([eventStore.stop(), postgres.stop()]);
});

/** A scrape of Prometheus waits this long by default. */
const PATIENCE_MS = 10_000;

test('while Postgres keeps its connections and answers nothing, readiness and metrics answer soon', async () => {
  expect((await service.call('GET', '/health/ready')).status).toBe(200);
  proxy.loseAnswers();
  for (const [path, status] of [
    ['/health/ready', 503],
    ['/metrics', 200],
  ] as const) {
    const asked = performance.now();
    const answer = await service.call('GET', path);
    expect([path, answer.status]).toStrictEqual([path, status]);
    expect(performance.now() - asked).toBeLessThan(PATIENCE_MS);
  }
  proxy.cut();
  await until('the service is ready again', async () => {
    return (await service.call('GET', '/health/ready')).status === 200;
  });
});
