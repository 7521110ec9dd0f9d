import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { openLogger } from '#platform/start/logger.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import {
  projectionRecords,
  requestAllRebuilds,
  requestDueComparison,
  requestedRebuilds,
  requestRebuild,
} from '#read-model/projection-records.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import type { DifferentRows } from '#read-model/different-rows.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';
import {
  startEmptyPostgres,
  startOwnEventStore,
  startOwnPostgres,
  type OwnServer,
} from '#test/support/servers.js';
import { appendFact, appendJob, appendRequest } from './projection-log.js';
import { dumpOf, until } from './read-model-world.js';

const READ_MODELS = await productProjections();
const WEEK_MS = 7 * 24 * 3_600_000;
const NAMES = READ_MODELS.map(({ name }) => name);
let eventStoreServer: OwnServer;
let postgresServer: OwnServer;
let eventStore: EventStore;
let postgres: Postgres;
let watch: PositionWatch;
let runner: ProjectionRunner;

beforeAll(async () => {
  eventStoreServer = await startOwnEventStore();
  postgresServer = await startOwnPostgres();
  eventStore = connectEventStore(eventStoreServer.url);
  postgres = new Postgres({ url: postgresServer.url, macs: TEST_MACS });
  watch = new PositionWatch(postgres);
  startRunner();
  await appendJob(eventStore, 'seed-1');
  await appendFact(eventStore, 'world/fact/a/x', false);
  await appendFact(eventStore, 'world/fact/b/x', true);
  await watch.waitFor(NAMES, await appendRequest(eventStore, 'r1'), 20_000);
});

function startRunner(): void {
  runner = new ProjectionRunner({
    ...{ eventStore, postgres, projections: READ_MODELS, watch, log: openLogger('silent') },
    compareEveryMs: WEEK_MS,
  });
  runner.start();
}

afterAll(async () => {
  await runner.stop();
  await watch.close();
  await postgres.close();
  await eventStore.close();
  await postgresServer.stop();
  await eventStoreServer.stop();
});

const oidOf = async (name: string) =>
  (
    await postgres.query<{ oid: number }>('select oid from pg_namespace where nspname = $1', [name])
  )[0];

const differencesOf = async (names: readonly string[]) =>
  (await projectionRecords(postgres))
    .filter(({ name }) => names.includes(name))
    .flatMap(({ differences }) => differences);

/** Rebuilds the read models, and returns what the comparison found. */
async function rebuild(names: readonly string[]): Promise<readonly DifferentRows[]> {
  const before = new Map(
    await Promise.all(names.map(async (name) => [name, await oidOf(name)] as const)),
  );
  for (const name of names) await requestRebuild(postgres, name);
  for (const [name, { oid } = { oid: 0 }] of before)
    await until(async () => ![undefined, oid].includes((await oidOf(name))?.oid));
  return differencesOf(names);
}

test('a rebuild of rows that are as the log gives them finds nothing, in no table of any read model', async () => {
  expect(await rebuild(NAMES)).toStrictEqual([]);
});

test('a comparison waits until the live rows show the same position', async () => {
  const names = ['jobs', 'search', 'episodes'];
  const rebuilt = rebuild(names);
  for (let job = 10; job < 40; job += 1) await appendJob(eventStore, `seed-${job}`);
  expect(await rebuilt).toStrictEqual([]);
});

test('a rebuild replaces tables that another program has altered or dropped', async () => {
  const whole = await dumpOf(postgres, 'jobs');
  await postgres.query('alter table jobs.job alter column wm_count type text');
  await postgres.query('drop table jobs.pinned_snapshot');
  expect(await rebuild(['jobs'])).toStrictEqual([]);
  expect(await dumpOf(postgres, 'jobs')).toStrictEqual(whole);
});

test('a comparison names the changed work of process managers', async () => {
  await postgres.query(
    `insert into obligations.obligation values ('settle_job', 'job-none', 'infinity')`,
  );
  await postgres.query(`insert into obligations.revoked_consent values ('c-none')`);
  const extra = { difference: 'extra', count: 1 };
  expect(await rebuild(['obligations'])).toStrictEqual([
    { ...extra, table: 'obligations.obligation', key: 'settle_job job-none' },
    { ...extra, table: 'obligations.revoked_consent', key: 'c-none' },
  ]);
});

test('a position that another program moved beyond the end of the log stops no read model', async () => {
  await postgres.query('update sem.checkpoint set position = position + 1000');
  await watch.waitFor(NAMES, await appendFact(eventStore, 'world/fact/moved/x', false), 20_000);
  await runner.stop();
  await postgres.query('update sem.checkpoint set position = position + 1000');
  startRunner();
  await watch.waitFor(NAMES, await appendFact(eventStore, 'world/fact/moved/y', false), 20_000);
  expect(
    await postgres.query(`select key from sem.fact where key ~ 'moved' order by key`),
  ).toStrictEqual([{ key: 'world/fact/moved/x' }, { key: 'world/fact/moved/y' }]);
});

test('a rebuild goes on in a quiet log after another program moved the position', async () => {
  await postgres.query('update sem.checkpoint set position = position + 1');
  expect(await rebuild(['sem'])).toStrictEqual([]);
  await postgres.query('update sem.checkpoint set position = position - 1');
  expect(await rebuild(['sem'])).toStrictEqual([]);
});

test('events are projected while the rows of their read model are compared, and the rebuilt rows have them', async () => {
  const before = await oidOf('sem');
  const holder = await postgres.connect();
  await holder.query('begin; lock table sem.owner in access exclusive mode');
  await requestRebuild(postgres, 'sem');
  await until(async () => {
    const waiting = await postgres.query(`select from pg_locks where not granted`);
    return waiting.length > 0;
  });
  await watch.waitFor(NAMES, await appendFact(eventStore, 'world/fact/c/x', false), 20_000);
  expect(await oidOf('sem')).toStrictEqual(before);
  await holder.query('commit');
  await holder.end();
  await until(async () => (await oidOf('sem'))?.oid !== before?.oid);
  expect(await differencesOf(['sem'])).toStrictEqual([]);
  expect(await postgres.query(`select from sem.fact where key = 'world/fact/c/x'`)).toHaveLength(1);
});

test('each read model whose comparison is due is compared, and none a second time', async () => {
  await postgres.query(`update jobs.job set goal = 'another' where job_seed = 'seed-1'`);
  await postgres.query(
    `update read_models.projection set compared_at = now() - interval '8 days' where name in ('jobs', 'notes')`,
  );
  await until(async () => {
    const records = await projectionRecords(postgres);
    return records.every(
      ({ comparedAt, rebuildRequested }) =>
        Date.now() - comparedAt.getTime() < WEEK_MS && !rebuildRequested,
    );
  });
  expect(await differencesOf(['jobs', 'notes'])).toStrictEqual([
    { table: 'jobs.job', difference: 'changed', key: 'seed-1', count: 1 },
  ]);
  await requestDueComparison(postgres, NAMES, WEEK_MS);
  expect(await requestedRebuilds(postgres)).toStrictEqual([]);
});

test('a rebuild replaces a read model whose checkpoint is later than the last event of the log', async () => {
  await runner.stop();
  await postgres.query('update jobs.checkpoint set position = position + 1');
  startRunner();
  expect(await rebuild(['jobs'])).toStrictEqual([]);
});

test('of several read models whose comparison is due, the one compared the longest ago comes first, and the next after it', async () => {
  await runner.stop();
  await postgres.query(
    `update read_models.projection set compared_at = now() - interval '9 days' where name = 'jobs'`,
  );
  await postgres.query(
    `update read_models.projection set compared_at = now() - interval '8 days' where name = 'notes'`,
  );
  for (let times = 0; times < 2; times += 1) await requestDueComparison(postgres, NAMES, WEEK_MS);
  expect(await requestedRebuilds(postgres)).toStrictEqual(['jobs']);
});

test('after a restore, every read model that a database has is compared', async () => {
  const empty = await startEmptyPostgres();
  const other = new Postgres({ url: empty.url });
  await requestAllRebuilds(other);
  await other.close();
  await empty.stop();
  await requestAllRebuilds(postgres);
  expect((await requestedRebuilds(postgres)).toSorted()).toStrictEqual(NAMES);
});
