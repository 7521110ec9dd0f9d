import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from '#embedded/supervisor.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { Caller } from '#test/support/caller.js';
import type { QueryAnswer } from '#test/support/queries.js';
import { LOG_TEMPLATE } from '#test/support/failure.js';
import { startTestRedis } from '#test/support/redis.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';

interface Fact {
  readonly value: unknown;
}

let servers: Pick<TestService, 'eventStore' | 'postgres'>;
let plain: TestService;

beforeAll(async () => {
  plain = await TestService.start({ ownLog: true });
  servers = { eventStore: plain.eventStore, postgres: plain.postgres };
});
afterAll(() => plain?.stop());

const withCache = (url: string) =>
  TestService.start({ servers, environment: { MACE_REDIS_URL: url } });

const cacheErrors = (service: TestService) =>
  service.log.filter((line) => line['error_code'] === 'CACHE_ERROR');

/** Puts and reads a few facts; all of these requests must succeed. */
async function traffic(service: TestService, entity: string, rounds: number): Promise<void> {
  const token = await service.token('admin');
  const path = `/v1/sem/world/fact/${entity}/value`;
  for (let value = 0; value < rounds; value += 1) {
    const put = await service.call('PUT', path, { token, body: { value } });
    expect([put.body, put.status]).toStrictEqual([put.body, 200]);
    const read = await service.call<Fact>('GET', path, { token });
    expect([read.body, read.status]).toStrictEqual([read.body, 200]);
    // A read returns the acknowledged value (SPEC S6).
    expect(read.body.value).toBe(value);
    expect(read.headers.get('mace-stale')).toBeNull();
  }
}

function assertLoggedOnce(service: TestService): void {
  const [line, ...more] = cacheErrors(service);
  // The service has logged CACHE_ERROR.
  ensure(line);
  // CACHE_ERROR is logged once per outage.
  expect(more).toHaveLength(0);
  for (const field of ['type', ...LOG_TEMPLATE]) expect(line).toHaveProperty([field]);
  expect(line['severity']).toBe(ERROR_TABLE.CACHE_ERROR.severity);
  expect(String(line['developer_message'])).toMatch(/^The cache failed and was passed over: /);
}

const counted = async (service: TestService): Promise<string> =>
  (await service.call<string>('GET', '/metrics')).body;

test('002-T30 [stage0] [golden] [medium] with a Redis that refuses connections, requests succeed and CACHE_ERROR is logged', async () => {
  const service = await withCache(`redis://127.0.0.1:${await freePort()}`);
  try {
    await traffic(service, 'refusing', 5);
    assertLoggedOnce(service);
    const metrics = await counted(service);
    expect(metrics).toMatch(/mace_failures_total\{code="CACHE_ERROR"\} 1/);
    expect(metrics).toMatch(/mace_cache_lookups_total\{outcome="down"\} 5/);
  } finally {
    await service.stop();
  }
});

test('002-T30 [stage0] [golden] [medium] a Redis that accepts connections and never answers is skipped', async () => {
  const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const service = await withCache(`redis://127.0.0.1:${port}`);
  try {
    await traffic(service, 'silent', 5);
    while (cacheErrors(service).length === 0) await traffic(service, 'silent', 1);
    assertLoggedOnce(service);
  } finally {
    await service.stop();
    silent.close();
  }
});

test('002-T30 [stage0] [golden] [medium] a read and a write that would use a Redis succeed after it was killed, and CACHE_ERROR is logged once, with nothing for the caller to see', async () => {
  const redis = await startTestRedis();
  const service = await withCache(redis.url);
  try {
    const user = await Caller.of(service, 'user', { sub: 'cached', user_id: 'cached' });
    const key = 'user/profile/user_cached/favorite_color';
    const read = () => user.did<Fact>('GET', `sem/${key}`);
    const lookups = async (outcome: string) =>
      Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(await counted(service))?.[1] ?? 0);
    await user.did('PUT', `sem/${key}`, { body: { value: 'blue' } });
    while ((await lookups('hit')) === 0) expect((await read()).body.value).toBe('blue');
    expect(cacheErrors(service)).toHaveLength(0);

    await redis.kill();
    const { body, headers, status } = await read();
    expect([status, body.value, headers.get('mace-stale')]).toStrictEqual([200, 'blue', null]);
    const put = await user.did('PUT', `sem/${key}`, { body: { value: 'green' } });
    expect(put.status).toBe(200);
    expect((await read()).body.value).toBe('green');
    const query_text = 'What is my favourite colour?';
    const { answer, notices } = await user.post<QueryAnswer>('queries', { query_text });
    expect([answer, notices]).toStrictEqual(['Your favorite color is green.', []]);
    assertLoggedOnce(service);
    expect(await lookups('down')).toBeGreaterThan(0);
    expect((await service.call('GET', '/health/ready')).status).toBe(200);

    // The entry from before the kill is not read when Redis is back.
    await redis.restart();
    const hits = await lookups('hit');
    while ((await lookups('hit')) === hits) expect((await read()).body.value).toBe('green');
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('002-T30 [stage0] [golden] [medium] a Redis killed in the middle of traffic is passed over, and used again when it is back', async () => {
  const redis = await startTestRedis();
  const service = await withCache(redis.url);
  const token = await service.token('admin');
  const read = () => service.call<Fact>('GET', '/v1/sem/world/fact/busy_0/value', { token });
  const hits = async () => Number(/outcome="hit"\} (\d+)/.exec(await counted(service))?.[1] ?? '0');
  /** Reads until the cache answers a read. */
  const hit = async () => {
    const before = await hits();
    do expect((await read()).status).toBe(200);
    while ((await hits()) === before);
  };
  try {
    const lanes = Array.from({ length: 4 }, (_, lane) => `busy_${lane}`);
    await Promise.all(lanes.map((lane) => traffic(service, lane, 3)));
    await hit();
    const busy = Promise.all(lanes.map((lane) => traffic(service, lane, 40)));
    await redis.kill();
    await busy;
    assertLoggedOnce(service);
    await redis.restart();
    await hit();
    expect((await read()).body.value).toBe(39);
    expect(cacheErrors(service)).toHaveLength(1);
  } finally {
    await service.stop();
    await redis.stop();
  }
});

test('S6 a cached fact is not read after a write of which its Redis received nothing', async () => {
  const redis = await startTestRedis();
  const service = await withCache(redis.url);
  const token = await service.token('admin');
  const path = '/v1/sem/world/fact/elsewhere/value';
  const call = (through: TestService, method: string, body?: object) =>
    through.call<Fact>(method, path, { token, ...(body && { body }) });
  try {
    for (let value = 0; value < 20; value += 1) {
      // The instance `plain` has no cache, so it cannot invalidate the entry of the other instance.
      await call(plain, 'PUT', { value });
      for (let look = 0; look < 3; look += 1)
        expect((await call(service, 'GET')).body.value).toBe(value);
    }
    expect(await counted(service)).toMatch(/outcome="hit"\} [1-9]/);
    expect(await counted(service)).toMatch(/outcome="stale"\} [1-9]/);
  } finally {
    await service.stop();
    await redis.stop();
  }
});
