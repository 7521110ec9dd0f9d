import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { freePort } from '#embedded/free-port.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { LOG_TEMPLATE } from '#test/support/failure.js';
import { redisMissing, startTestRedis } from '#test/support/redis.js';
import { TestService } from '#test/support/service.js';

interface Fact {
  readonly value: unknown;
}

let servers: Pick<TestService, 'eventStore' | 'postgres'>;
let plain: TestService;

before(async () => {
  plain = await TestService.start();
  servers = { eventStore: plain.eventStore, postgres: plain.postgres };
});
after(() => plain?.stop());

const withCache = (url: string) =>
  TestService.start({ servers, environment: { MACE_REDIS_URL: url } });

const cacheErrors = (service: TestService) =>
  service.log.filter((line) => line['error_code'] === 'CACHE_ERROR');

/** Puts and reads a few facts; every one of these must simply work. */
async function traffic(service: TestService, entity: string, rounds: number): Promise<void> {
  const token = await service.token('admin');
  const path = `/v1/sem/world/fact/${entity}/value`;
  for (let value = 0; value < rounds; value += 1) {
    const put = await service.call('PUT', path, { token, body: { value } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    const read = await service.call<Fact>('GET', path, { token });
    assert.equal(read.status, 200, JSON.stringify(read.body));
    assert.equal(read.body.value, value, 'what was acknowledged is read (SPEC S6)');
    assert.equal(read.headers.get('mace-stale'), null);
  }
}

function assertLoggedOnce(service: TestService): void {
  const [line, ...more] = cacheErrors(service);
  assert.ok(line, 'CACHE_ERROR is logged');
  assert.equal(more.length, 0, 'once an outage');
  for (const field of ['type', ...LOG_TEMPLATE])
    assert.ok(field in line, `the line has ${field} (SPEC F3)`);
  assert.equal(line['severity'], ERROR_TABLE.CACHE_ERROR.severity);
  assert.match(String(line['developer_message']), /^The cache failed and was passed over: /);
}

const counted = async (service: TestService): Promise<string> =>
  (await service.call<string>('GET', '/metrics')).body;

test('002-T30 [stage0] [golden] a Redis that refuses connections is passed over: nobody is told, CACHE_ERROR is logged', async () => {
  const service = await withCache(`redis://127.0.0.1:${await freePort()}`);
  try {
    await traffic(service, 'refusing', 5);
    assertLoggedOnce(service);
    assert.match(await counted(service), /mace_failures_total\{code="CACHE_ERROR"\} 1/);
  } finally {
    await service.stop();
  }
});

test('002-T30 [stage0] [golden] a server that takes connections and never answers is passed over', async () => {
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

test(
  '002-T30 [stage0] [golden] a Redis killed in the middle of traffic is passed over, and used again when it is back',
  { skip: redisMissing },
  async () => {
    const redis = await startTestRedis();
    const service = await withCache(redis.url);
    const token = await service.token('admin');
    const read = () => service.call<Fact>('GET', '/v1/sem/world/fact/busy_0/value', { token });
    const hits = async () =>
      Number(/outcome="hit"\} (\d+)/.exec(await counted(service))?.[1] ?? '0');
    /** Reads until one of them was answered from the cache. */
    const hit = async () => {
      const before = await hits();
      do assert.equal((await read()).status, 200);
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
      assert.equal((await read()).body.value, 39);
      assert.equal(cacheErrors(service).length, 1);
    } finally {
      await service.stop();
      await redis.stop();
    }
  },
);

test(
  'S6 a cached fact is not read after a write that its Redis was never told of',
  { skip: redisMissing },
  async () => {
    const redis = await startTestRedis();
    const service = await withCache(redis.url);
    const token = await service.token('admin');
    const path = '/v1/sem/world/fact/elsewhere/value';
    const call = (through: TestService, method: string, body?: object) =>
      through.call<Fact>(method, path, { token, ...(body && { body }) });
    try {
      for (let value = 0; value < 20; value += 1) {
        // `plain` has no cache: it cannot invalidate what the other one remembers.
        await call(plain, 'PUT', { value });
        for (let look = 0; look < 3; look += 1)
          assert.equal((await call(service, 'GET')).body.value, value);
      }
      assert.match(await counted(service), /outcome="hit"\} [1-9]/);
      assert.match(await counted(service), /outcome="stale"\} [1-9]/);
    } finally {
      await service.stop();
      await redis.stop();
    }
  },
);
