import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'redis';
import { FactCache, type Looked } from '#apps/api/platform/cache/fact-cache.js';
import type { SemStreamState } from '#projections/sem/queries.js';
import { redisMissing, startTestRedis, type TestRedis } from '#test/support/redis.js';

const KEY = 'world/fact/sky/colour';
const at = (revision: number, value = `value ${revision}`): SemStreamState => ({
  revision,
  fact: {
    key: KEY,
    held: { value },
    timestamp: '2025-01-01T00:00:00.000Z',
    source: 'system',
    notes: null,
    meta: null,
    n: revision + 1,
    revision,
  },
});

describe('The cache of facts (SPEC S9)', { skip: redisMissing }, () => {
  let redis: TestRedis;
  const opened: FactCache[] = [];

  before(async () => {
    redis = await startTestRedis();
  });
  after(async () => {
    await Promise.all(opened.map((cache) => cache.onApplicationShutdown()));
    await redis?.stop();
  });

  /** A cache of an installation of its own, as one instance of the service has it. */
  async function open(installation: string, errors: string[] = []): Promise<FactCache> {
    const { url } = redis;
    const onError = (reason: string) => errors.push(reason);
    const cache = new FactCache({ url, installation, onError, onUp: () => undefined });
    opened.push(cache);
    await looked(cache);
    return cache;
  }

  /** What a look-up finds, once there is a connection. */
  async function looked(cache: FactCache): Promise<Looked> {
    for (;;) {
      const found = await cache.lookUp(KEY);
      if (found !== undefined) return found;
      await delay(5);
    }
  }

  it('remembers a row with the revision that it showed', async () => {
    const cache = await open('remembers');
    const miss = await looked(cache);
    assert.equal(miss.state, undefined);
    await cache.fill(KEY, miss, at(3));
    assert.deepEqual((await looked(cache)).state, at(3));
  });

  it('remembers that a stream holds no fact', async () => {
    const cache = await open('no fact');
    await cache.fill(KEY, await looked(cache), { revision: 4, fact: undefined });
    assert.deepEqual((await looked(cache)).state, { revision: 4, fact: undefined });
  });

  it('lets a late fill replace neither a newer entry nor its tombstone', async () => {
    const [one, other] = [await open('late'), await open('late')];
    const early = await looked(one);
    await one.invalidate(KEY, 5);
    await one.fill(KEY, early, at(4));
    assert.equal((await looked(one)).state, undefined, 'the tombstone stands');
    await other.fill(KEY, await looked(other), at(5));
    await one.fill(KEY, early, at(4));
    assert.deepEqual((await looked(one)).state, at(5), 'the newer entry stands');
  });

  it('keeps an entry that is newer than a late invalidation', async () => {
    const cache = await open('late invalidation');
    await cache.fill(KEY, await looked(cache), at(7));
    await cache.invalidate(KEY, 6);
    assert.deepEqual((await looked(cache)).state, at(7));
    await cache.invalidate(KEY, 8);
    assert.equal((await looked(cache)).state, undefined);
  });

  it('refuses a row that was read before the namespace changed', async () => {
    const one = await open('namespaces');
    const before = await looked(one);
    const restarted = await open('namespaces');
    await one.fill(KEY, before, at(1));
    assert.equal((await looked(restarted)).state, undefined);
    assert.notEqual((await looked(restarted)).namespace, before.namespace);
  });

  it('lets entries live for sixty seconds, and tells installations apart', async () => {
    const cache = await open('sixty');
    await cache.fill(KEY, await looked(cache), at(1));
    assert.equal((await looked(await open('another'))).state, undefined);
    const client = createClient({ url: redis.url });
    await client.connect();
    const lifetime = await client.pTTL(`mace:{sixty}:sem:fact:${KEY}`);
    client.destroy();
    assert.ok(lifetime > 50_000 && lifetime <= 60_000, `${lifetime} ms`);
  });

  it('changes the namespace after an invalidation that failed, before it is used again', async () => {
    const cache = await open('failed');
    await cache.fill(KEY, await looked(cache), at(1));
    const { namespace } = await looked(cache);
    await redis.kill();
    await cache.invalidate(KEY, 2);
    assert.equal(await cache.lookUp(KEY), undefined, 'it is not asked while it is down');
    await redis.restart();
    const again = await looked(cache);
    assert.notEqual(again.namespace, namespace);
    assert.equal(again.state, undefined, 'what was true before is not read any more');
  });

  it('tells of an outage once, however many are asking', async () => {
    const errors: string[] = [];
    const cache = await open('once', errors);
    await redis.kill();
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => cache.lookUp(KEY)));
    assert.equal(errors.length, 1);
    await redis.restart();
    await looked(cache);
    assert.equal(errors.length, 1);
  });

  it('does not wait long for a Redis that hangs, and not twice', async () => {
    const errors: string[] = [];
    const cache = await open('hangs', errors);
    process.kill(redis.pid(), 'SIGSTOP');
    try {
      const asked = Array.from({ length: 50 }, () => cache.lookUp(KEY));
      assert.deepEqual(await Promise.all(asked), Array<undefined>(50).fill(undefined));
      assert.equal(await cache.lookUp(KEY), undefined);
      assert.deepEqual(errors, ['TOO_SLOW']);
    } finally {
      process.kill(redis.pid(), 'SIGCONT');
    }
    assert.equal((await looked(cache)).state, undefined);
  });

  it('takes a Redis that was emptied for one that it does not know', async () => {
    const cache = await open('emptied');
    await cache.fill(KEY, await looked(cache), at(1));
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.flushAll();
    client.destroy();
    assert.equal(await cache.lookUp(KEY), undefined);
    assert.equal((await looked(cache)).state, undefined);
  });
});

it('knows nothing, and fails never, where there is no cache', async () => {
  const fail = () => assert.fail('there is nothing that could fail');
  const cache = new FactCache({ url: undefined, installation: 'x', onError: fail, onUp: fail });
  assert.equal(await cache.lookUp(KEY), undefined);
  await cache.invalidate(KEY, 1);
  await cache.onApplicationShutdown();
});
