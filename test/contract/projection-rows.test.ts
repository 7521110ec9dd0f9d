import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { JobQueries } from '#projections/jobs/queries.js';
import { SemQueries } from '#projections/sem/queries.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { until } from '#test/faults/support/until.js';
import { openLogger } from '#platform/start/logger.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';
import { startOwnEventStore, startOwnPostgres, type OwnServer } from '#test/support/servers.js';
import { appendFact, appendJob, appendRequest } from './projection-log.js';
import { dumpOf } from './read-model-world.js';

const log = openLogger('silent');
const READ_MODELS = await productProjections();
const NAMES = READ_MODELS.map(({ name }) => name);
let eventStoreServer: OwnServer;
let postgresServer: OwnServer;
let eventStore: EventStore;
let postgres: Postgres;
let watch: PositionWatch;
let runner: ProjectionRunner;

const startRunner = (): void => {
  runner = new ProjectionRunner({ eventStore, postgres, projections: READ_MODELS, watch, log });
  runner.start();
};

const dumpAll = async () =>
  new Map(
    await Promise.all(NAMES.map(async (name) => [name, await dumpOf(postgres, name)] as const)),
  );

beforeAll(async () => {
  eventStoreServer = await startOwnEventStore();
  postgresServer = await startOwnPostgres();
  eventStore = connectEventStore(eventStoreServer.url);
  postgres = new Postgres({ url: postgresServer.url, macs: TEST_MACS });
  watch = new PositionWatch(postgres);
  startRunner();
});

afterAll(async () => {
  await runner.stop();
  await watch.close();
  await postgres.close();
  await eventStore.close();
  await postgresServer.stop();
  await eventStoreServer.stop();
});

test('queries return jobs, facts, requests and episodes as the log records them', async () => {
  await appendJob(eventStore, 'seed-1');
  await appendFact(eventStore, 'world/fact/a/x', false);
  await appendFact(eventStore, 'world/fact/b/x', true);
  await watch.waitFor(NAMES, await appendRequest(eventStore, 'r1'), 20_000);

  const jobs = new JobQueries(postgres);
  const job = await jobs.get('seed-1');
  const { status, tick, version, wm_count, cwm_count, promotions, episodes, reads, goal } = job!;
  expect({
    status,
    tick,
    version,
    wm_count,
    cwm_count,
    promotions,
    episodes,
    reads,
    goal,
  }).toStrictEqual({
    status: 'ended',
    tick: 1,
    version: 12,
    wm_count: 0,
    cwm_count: 1,
    promotions: 1,
    episodes: 2,
    reads: 1,
    goal: 'find more',
  });
  expect(await jobs.list({ status: 'ended', sessionId: 'session-1', limit: 5 })).toHaveLength(1);
  expect(await jobs.list({ owner: { sub: 'somebody', user: undefined }, limit: 5 })).toStrictEqual(
    [],
  );

  const sem = new SemQueries(postgres);
  const kept = await sem.get('world/fact/a/x');
  expect(kept.revision).toBe(2);
  expect(kept.fact?.held).toStrictEqual({ value: { a: [1, 'two'] } });
  expect(await sem.get('world/fact/b/x')).toStrictEqual({ revision: 3, fact: undefined });
  expect(await sem.get('world/fact/c/x')).toStrictEqual({ revision: -1, fact: undefined });
  expect((await jobs.pinnedSnapshot('seed-1'))?.eventCount).toBe(1);
  expect([...(await sem.countsByScope())]).toStrictEqual([['world', 1]]);

  const requests = new ActionRequestQueries(postgres);
  const [request] = await requests.byIds(['r1']);
  expect(request?.status).toBe('executed');
  expect(request?.sem_event_number).toBe(3);
  expect(request?.held).toStrictEqual({ value: [true, null] });
  const [vote] = await postgres.query<{ voter_sub: string }>('select * from action_requests.vote');
  expect(vote?.voter_sub).toBe('council-1');
  expect(await requests.list({ status: 'pending', limit: 5 })).toStrictEqual([]);

  const found = await new EpisodeQueries(postgres).query({
    queryTerms: 'saw request',
    visibleTo: { userId: 'u1' },
  });
  expect(found.map(({ episodic_id, score }) => [episodic_id, score])).toStrictEqual([
    ['ep:request-r1:request', 3 / 6],
    ['ep:seed-1:summary', 2 / 6],
    ['ep:seed-1:written', 2 / 6],
  ]);
});

test('[critical] dropping every read model and rebuilding all gives the same rows (I1)', async () => {
  let position = 0n;
  for (let index = 2; index < 40; index += 1) {
    position = await appendJob(eventStore, `seed-${index}`);
    // Waits now and then for all read models or for one, so that the batches differ from those of the
    // rebuild.
    if (index % 7 === 0) await watch.waitFor(NAMES, position, 20_000);
    if (index % 3 === 0) await watch.waitFor([NAMES[index % NAMES.length]!], position, 20_000);
  }
  await watch.waitFor(NAMES, position, 20_000);
  const before = await dumpAll();
  await runner.stop();
  for (const name of NAMES) await postgres.query(`drop schema ${name} cascade`);
  await watch.close();
  watch = new PositionWatch(postgres);
  startRunner();
  await watch.waitFor(NAMES, position, 20_000);
  expect(await dumpAll()).toStrictEqual(before);
});

test('[critical] every event is projected once, even if Postgres and the event store are killed', async () => {
  let position = 0n;
  for (let index = 100; index < 110; index += 1) {
    position = await appendJob(eventStore, `seed-${index}`);
  }
  await postgresServer.kill();
  await expect(new JobQueries(postgres).get('seed-1')).rejects.toThrow(PostgresUnavailable);
  position = await appendJob(eventStore, 'seed-while-down');
  await postgresServer.restart();
  await watch.waitFor(NAMES, position, 30_000);
  await eventStoreServer.kill();
  expect((await new JobQueries(postgres).get('seed-while-down'))?.version).toBe(12);
  await eventStoreServer.restart();
  position = await appendJob(eventStore, 'seed-after');
  await watch.waitFor(NAMES, position, 30_000);
  const jobs = await new JobQueries(postgres).list({ limit: 1000 });
  expect(
    jobs.every(
      ({ version, wm_count, episodes }) => version === 12 && wm_count === 0 && episodes === 2,
    ),
  ).toBe(true);
  const { count } = await new EpisodeQueries(postgres).currentSnapshot();
  expect(count).toBe(2 * jobs.length + 1);
});

test('if a killed Postgres loses rows that it had shown, a wait for them ends only when they are written again', async () => {
  for (let round = 0; round < 3; round += 1) {
    const seed = `seed-lost-${round}`;
    const position = await appendJob(eventStore, seed);
    await watch.waitFor(NAMES, position, 30_000);
    await postgresServer.kill();
    await postgresServer.restart();
    await until('Postgres answers', () => postgres.ping().then(() => true));
    await watch.waitFor(NAMES, position, 30_000);
    expect((await new JobQueries(postgres).get(seed))?.version).toBe(12);
  }
});
