import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'redis';
import { FactCache, type CacheLookup } from '#apps/api/platform/cache/fact-cache.js';
import type { SemStreamState } from '#projections/sem/queries.js';
import { TEST_MACS } from '#test/support/product-projections.js';
import { startTestRedis } from '#test/support/redis.js';
import type { TestRedis } from '#test/support/redis-double.js';

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

describe('The cache of facts (SPEC S9)', () => {
  let redis: TestRedis;
  const opened: FactCache[] = [];

  beforeAll(async () => {
    redis = await startTestRedis();
  });
  afterAll(async () => {
    await Promise.all(opened.map((cache) => cache.onApplicationShutdown()));
    await redis?.stop();
  });

  /** Opens a cache of the installation and waits until it is connected. */
  async function open(installation: string, errors: string[] = []): Promise<FactCache> {
    const { url } = redis;
    const onError = (reason: string) => errors.push(reason);
    const cache = new FactCache({
      ...{ url, installation, onError, onUp: () => undefined },
      macs: TEST_MACS,
    });
    opened.push(cache);
    await lookUpConnected(cache);
    return cache;
  }

  /** Waits until the cache is connected; returns the result of a look-up. */
  async function lookUpConnected(cache: FactCache): Promise<CacheLookup> {
    for (;;) {
      const found = await cache.lookUp(KEY);
      if (found !== undefined) return found;
      await delay(5);
    }
  }

  it('the cache returns a row that was filled, with its revision', async () => {
    const cache = await open('remembers');
    const miss = await lookUpConnected(cache);
    expect(miss.state).toBeUndefined();
    await cache.fill(KEY, miss, at(3));
    expect((await lookUpConnected(cache)).state).toStrictEqual(at(3));
  });

  it('the cache remembers that a stream has no fact', async () => {
    const cache = await open('no fact');
    await cache.fill(KEY, await lookUpConnected(cache), { revision: 4, fact: undefined });
    expect((await lookUpConnected(cache)).state).toStrictEqual({ revision: 4, fact: undefined });
  });

  it('a late fill replaces neither a newer entry nor a newer tombstone', async () => {
    const [one, other] = [await open('late'), await open('late')];
    const early = await lookUpConnected(one);
    await one.invalidate(KEY, 5);
    await one.fill(KEY, early, at(4));
    // The tombstone is still there.
    expect((await lookUpConnected(one)).state).toBeUndefined();
    await other.fill(KEY, await lookUpConnected(other), at(5));
    await one.fill(KEY, early, at(4));
    // The newer entry is still there.
    expect((await lookUpConnected(one)).state).toStrictEqual(at(5));
  });

  it('a late invalidation does not remove an entry that is newer', async () => {
    const cache = await open('late invalidation');
    await cache.fill(KEY, await lookUpConnected(cache), at(7));
    await cache.invalidate(KEY, 6);
    expect((await lookUpConnected(cache)).state).toStrictEqual(at(7));
    await cache.invalidate(KEY, 8);
    expect((await lookUpConnected(cache)).state).toBeUndefined();
  });

  it('a row that was read before the namespace changed is not written into the cache', async () => {
    const one = await open('namespaces');
    const before = await lookUpConnected(one);
    const restarted = await open('namespaces');
    await one.fill(KEY, before, at(1));
    expect((await lookUpConnected(restarted)).state).toBeUndefined();
    expect((await lookUpConnected(restarted)).namespace).not.toBe(before.namespace);
  });

  it('entries are kept for sixty seconds, and each installation has its own', async () => {
    const cache = await open('sixty');
    await cache.fill(KEY, await lookUpConnected(cache), at(1));
    expect((await lookUpConnected(await open('another'))).state).toBeUndefined();
    const client = createClient({ url: redis.url });
    await client.connect();
    const lifetime = await client.pTTL(`mace:{sixty}:sem:fact:${KEY}`);
    client.destroy();
    expect(lifetime).toBeGreaterThan(50_000);
    expect(lifetime).toBeLessThanOrEqual(60_000);
  });

  it('after a failed invalidation the namespace changes before the next look-up succeeds', async () => {
    const cache = await open('failed');
    await cache.fill(KEY, await lookUpConnected(cache), at(1));
    const { namespace } = await lookUpConnected(cache);
    await redis.kill();
    await cache.invalidate(KEY, 2);
    // The cache does not ask a Redis that is down.
    expect(await cache.lookUp(KEY)).toBeUndefined();
    await redis.restart();
    const again = await lookUpConnected(cache);
    expect(again.namespace).not.toBe(namespace);
    // The cache does not use an entry from before the outage.
    expect(again.state).toBeUndefined();
  });

  it('the cache reports an outage once, however many look-ups fail', async () => {
    const errors: string[] = [];
    const cache = await open('once', errors);
    await redis.kill();
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => cache.lookUp(KEY)));
    expect(errors).toHaveLength(1);
    await redis.restart();
    await lookUpConnected(cache);
    expect(errors).toHaveLength(1);
  });

  it('the cache waits only briefly for a Redis that hangs, and only once', async () => {
    const errors: string[] = [];
    const cache = await open('hangs', errors);
    redis.pause();
    try {
      const asked = Array.from({ length: 50 }, () => cache.lookUp(KEY));
      expect(await Promise.all(asked)).toStrictEqual(Array<undefined>(50).fill(undefined));
      expect(await cache.lookUp(KEY)).toBeUndefined();
      expect(errors).toStrictEqual(['TOO_SLOW']);
    } finally {
      redis.resume();
    }
    expect((await lookUpConnected(cache)).state).toBeUndefined();
  });

  it('the cache treats a Redis that was emptied like a Redis that it has never used', async () => {
    const cache = await open('emptied');
    await cache.fill(KEY, await lookUpConnected(cache), at(1));
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.flushAll();
    client.destroy();
    expect(await cache.lookUp(KEY)).toBeUndefined();
    expect((await lookUpConnected(cache)).state).toBeUndefined();
  });
});

it('a cache without a URL finds nothing and never fails', async () => {
  const fail = () => {
    throw new Error('a cache without a URL has no connection');
  };
  const cache = new FactCache({
    ...{ url: undefined, installation: 'x', onError: fail, onUp: fail },
    macs: TEST_MACS,
  });
  expect(await cache.lookUp(KEY)).toBeUndefined();
  await cache.invalidate(KEY, 1);
  await cache.onApplicationShutdown();
});
