import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

let eventStore: TestServer;
let postgres: TestServer;

beforeAll(async () => {
  [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
});
afterAll(async () => {
  await postgres?.stop();
  await eventStore?.stop();
});

/** Runs `work` with a client of a service whose index is in a language. */
async function inLanguage(language: string, work: (admin: Caller) => Promise<void>): Promise<void> {
  const service = await TestService.start({
    servers: { eventStore, postgres },
    environment: { MACE_SEARCH_LANGUAGE: language },
  });
  try {
    await work(await Caller.of(service, 'admin'));
  } finally {
    await service.stop();
  }
}

/** Waits until no read model is rebuilt. */
const untilRebuilt = (admin: Caller): Promise<void> =>
  until('the index is in the language', async () => {
    const { projections } = await admin.get<{ projections: { rebuilding: boolean }[] }>(
      'projections',
    );
    const { status } = await admin.ask('POST', 'search', { body: { query: 'Haus' } });
    return status === 200 && projections.every(({ rebuilding }) => !rebuilding);
  });

async function found(admin: Caller, query: string): Promise<unknown[]> {
  const { hits } = await admin.post<{ hits: { id: string }[] }>('search', { query });
  return hits.map(({ id }) => id);
}

it('Q2 the configured language decides which forms of a word are found, and another one rebuilds the index', async () => {
  const key = 'world/fact/street/description';
  await inLanguage('english', async (admin) => {
    await admin.did('PUT', `sem/${key}`, { body: { value: 'Drei alte Häuser am Fluss' } });
    expect(await found(admin, 'Fluss')).toStrictEqual([key]);
    expect(await found(admin, 'ein Haus')).toStrictEqual([]);
  });
  await inLanguage('german', async (admin) => {
    await untilRebuilt(admin);
    expect(await found(admin, 'ein Haus')).toStrictEqual([key]);
    expect(await found(admin, 'am')).toStrictEqual([]);
  });
});
