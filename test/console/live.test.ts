import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { LiveFeed } from '#apps/console/src/live/live-feed.js';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const TIMES = { gather: 20, between: 40, settle: 60, poll: 100 };

const hasStale = (feed: LiveFeed): boolean =>
  (Reflect.get(feed, 'stale') as ReadonlySet<unknown>).size > 0;

describe('What the pages of the console show follows the log', () => {
  let service: TestService;
  let admin: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    admin = await Caller.of(service, ['admin', 'auditor']);
  });
  afterAll(() => service?.stop());

  const clientOf = async (roles: 'auditor'[] = ['auditor']): Promise<MaceClient> =>
    new MaceClient({ baseUrl: service.url, token: await service.token(roles), retries: 0 });

  /** Writes facts until the feed has refreshed a watch. */
  const factsUntil = (what: string, isDone: () => boolean): Promise<void> =>
    until(what, async () => {
      await admin.did('PUT', `sem/world/fact/${named('live')}/value`, { body: { value: 'seen' } });
      return isDone();
    });

  test('a page reads again after events of the categories that it watches, and once more when they are over', async () => {
    const feed = new LiveFeed(await clientOf(), TIMES);
    const refreshed = { facts: 0, jobs: 0 };
    feed.watch({ streams: ['sem'], refresh: () => (refreshed.facts += 1) });
    const unwatch = feed.watch({
      streams: ['reflective'],
      refresh: () => (refreshed.jobs += 1),
    });
    feed.start();
    await until('the stream is open', () => refreshed.facts === 1);
    await factsUntil('the page of facts reads again', () => refreshed.facts > 1);
    const before = refreshed.facts;
    await until('it reads once more', () => refreshed.facts > before);
    expect(refreshed.jobs).toBe(1);
    unwatch();
    const later = refreshed.facts;
    await factsUntil('it goes on after another page was left', () => refreshed.facts > later);
    feed.stop();
  });

  test('what was written while the stream was opened, or while it was closed, is read', async () => {
    const feed = new LiveFeed(await clientOf(), { ...TIMES, poll: 3_600_000 });
    let refreshed = 0;
    feed.watch({ streams: ['sem'], refresh: () => (refreshed += 1) });
    feed.start();
    await until('the opened stream makes the page read again', () => refreshed === 1);
    feed.stop();
    feed.start();
    await until('so does the next one', () => refreshed === 2);
    feed.watch({ streams: ['note'], refresh: () => undefined });
    await admin.did('PUT', `sem/world/fact/${named('between')}/value`, { body: { value: 'seen' } });
    await until(
      'a stream for more categories goes on where the one before ended',
      () => refreshed > 2,
    );
    feed.stop();
  });

  test('a page that shows what has no events for its reader is read at intervals', async () => {
    const feed = new LiveFeed(await clientOf(), TIMES);
    let refreshed = 0;
    feed.watch({ streams: [], isPolled: true, refresh: () => (refreshed += 1) });
    feed.start();
    await until('the page reads again twice', () => refreshed > 1);
    feed.stop();
  });

  test('an event that comes right before a page is left is not lost for the next page', async () => {
    const feed = new LiveFeed(await clientOf(), { ...TIMES, gather: 500 });
    let refreshed = 0;
    const unwatch = feed.watch({ streams: ['sem'], refresh: () => (refreshed += 1) });
    feed.start();
    await until('the stream is open', () => refreshed === 1);
    await admin.did('PUT', `sem/world/fact/${named('left')}/value`, { body: { value: 'seen' } });
    await until('the event has come', () => hasStale(feed));
    unwatch();
    await until('what the page showed is read again', () => refreshed > 1);
    feed.stop();
  });

  test('a page that watches a single stream reads again for that one alone', async () => {
    const feed = new LiveFeed(await clientOf(), TIMES);
    const refreshed = { one: 0, other: 0 };
    const key = `world/fact/${named('live-one')}/value`;
    const other = `world/fact/${named('live-other')}/value`;
    feed.watch({ streams: [`sem-${key}`], refresh: () => (refreshed.one += 1) });
    feed.start();
    await until('the stream is open', () => refreshed.one === 1);
    feed.watch({ streams: [`sem-${other}`], refresh: () => (refreshed.other += 1) });
    await admin.did('PUT', `sem/${key}`, { body: { value: 'seen' } });
    await until('the page of the fact reads again', () => refreshed.one > 1);
    expect(refreshed.other).toBe(0);
    feed.stop();
  });

  test('without a stream, the pages read again at intervals', async () => {
    const refused = new MaceClient({ baseUrl: service.url, token: 'none', retries: 0 });
    const feed = new LiveFeed(refused, TIMES);
    let refreshed = 0;
    feed.watch({ streams: ['sem'], refresh: () => (refreshed += 1) });
    feed.start();
    await until('the page reads again twice', () => refreshed > 1);
    feed.stop();
    const stopped = refreshed;
    await new Promise((resolve) => setTimeout(resolve, 3 * TIMES.poll));
    expect(refreshed).toBe(stopped);
  });
});
