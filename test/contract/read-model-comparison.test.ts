import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { openLogger } from '#platform/start/logger.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { requestRebuild } from '#read-model/projection-records.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import type { DifferentRow } from '#read-model/schema-comparison.js';
import { productProjections } from '#test/support/product-projections.js';
import { startOwnEventStore, startOwnPostgres, type OwnServer } from '#test/support/servers.js';
import { appendFact, appendJob, appendRequest } from './projection-log.js';
import { dumpOf, until } from './read-model-world.js';

const READ_MODELS = await productProjections();
const NAMES = READ_MODELS.map(({ name }) => name);
const found: DifferentRow[] = [];
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
  postgres = new Postgres({ url: postgresServer.url });
  watch = new PositionWatch(postgres);
  runner = new ProjectionRunner({
    ...{ eventStore, postgres, projections: READ_MODELS, watch, log: openLogger('silent') },
    onDifference: (row) => found.push(row),
  });
  runner.start();
  await appendJob(eventStore, 'seed-1');
  await appendFact(eventStore, 'world/fact/a/x', false);
  await appendFact(eventStore, 'world/fact/b/x', true);
  await watch.waitFor(NAMES, await appendRequest(eventStore, 'r1'), 20_000);
});

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

/** Rebuilds the read models, and returns what the comparison found. */
async function rebuild(names: readonly string[]): Promise<readonly DifferentRow[]> {
  found.splice(0);
  const before = new Map(
    await Promise.all(names.map(async (name) => [name, await oidOf(name)] as const)),
  );
  for (const name of names) await requestRebuild(postgres, name);
  for (const [name, { oid } = { oid: 0 }] of before)
    await until(async () => ![undefined, oid].includes((await oidOf(name))?.oid));
  return [...found];
}

test('a rebuild of rows that are as the log gives them finds nothing, in no table of any read model', async () => {
  expect(await rebuild(NAMES)).toStrictEqual([]);
});

test('a rebuild names each row that was changed, deleted or added, with its event, and replaces it', async () => {
  const whole = new Map(
    await Promise.all(
      ['jobs', 'sem', 'obligations'].map(
        async (name) => [name, await dumpOf(postgres, name)] as const,
      ),
    ),
  );
  await postgres.query(`update jobs.job set goal = 'another'`);
  await postgres.query(`delete from sem.fact where key = 'world/fact/a/x'`);
  await postgres.query(
    `insert into sem.owner (slug, raw_id, stream, number, event_hash, seal) values ('x', 'X', 'owner-x', 0, '', '')`,
  );
  await postgres.query(
    `insert into obligations.obligation values ('settle_job', 'job-x', 'infinity')`,
  );
  const differences = await rebuild([...whole.keys()]);
  expect(differences.toSorted((a, b) => (a.table < b.table ? -1 : 1))).toStrictEqual([
    { table: 'jobs.job', difference: 'changed', stream: 'job-seed-1', number: 12 },
    { table: 'obligations.obligation', difference: 'extra', stream: 'job-x', number: 0 },
    { table: 'sem.fact', difference: 'missing', stream: 'sem-world/fact/a/x', number: 2 },
    { table: 'sem.owner', difference: 'extra', stream: 'owner-x', number: 0 },
  ]);
  for (const [name, rows] of whole) expect(await dumpOf(postgres, name)).toStrictEqual(rows);
});

test('a comparison waits until the live rows show the same position', async () => {
  const names = ['jobs', 'search', 'episodes'];
  const rebuilt = rebuild(names);
  for (let job = 10; job < 40; job += 1) await appendJob(eventStore, `seed-${job}`);
  expect(await rebuilt).toStrictEqual([]);
});

test('a rebuild replaces tables that another program has altered or dropped', async () => {
  const whole = await dumpOf(postgres, 'jobs');
  await postgres.query('alter table jobs.pinned_snapshot alter column event_count type text');
  await postgres.query('drop table jobs.timeline');
  expect(await rebuild(['jobs'])).toStrictEqual([]);
  expect(await dumpOf(postgres, 'jobs')).toStrictEqual(whole);
});
