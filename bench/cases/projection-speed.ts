import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { requestRebuild } from '#read-model/projection-records.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { openLogger } from '#platform/start/logger.js';
import { runPeer } from '../harness/children.js';
import { recordedSeed, recordJobs } from '../harness/recorded-jobs.js';
import {
  atLeast,
  beside,
  perSecond,
  type Report,
  type Row,
  type Target,
} from '../harness/report.js';
import type { Setting } from '../harness/setting.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';

const TARGET = 35_000;
const REBUILD_TARGET = 40_000;
const MIXED_TARGET = 20_000;
const PATIENCE_MS = 600_000;
const REBUILT = ['sem', 'episodes', 'jobs', 'search'];

/** The number of jobs that the peers project. */
const PEER_JOBS = 200;
const PEER_FACTOR = 3;

/**
 * Case (d): projects a log of jobs into empty read models, then rebuilds each read model beside the live one. The peers
 * project the first of the same jobs, each into one table.
 */
export async function projectionSpeed(setting: Setting): Promise<Report> {
  const count = await recordJobs(setting, setting.sized(100_000));
  const rows = await project(setting, count, REBUILT);
  const [catchUp] = rows as [Row, ...Row[]];
  const peers = (await projectElsewhere(setting)).map((row) => beside(row, catchUp));
  return {
    rows: [...rows, ...peers],
    targets: [
      ...rows.map((row) => fastEnough(row, row === catchUp ? TARGET : REBUILD_TARGET)),
      ...peers.map((row) =>
        atLeast(`catch-up: at least ${PEER_FACTOR} × ${row.name}`, PEER_FACTOR, catchUp, row),
      ),
    ],
  };
}

/** Lets emmett project the events of some jobs: into documents of Pongo, and into rows. */
async function projectElsewhere(setting: Setting): Promise<Row[]> {
  const streams = [];
  for (let index = 0; index < PEER_JOBS; index += 1) {
    const stream = `job-${recordedSeed(index)}`;
    const events = [];
    for await (const { type, data, metadata } of setting.eventStore.readStream(stream))
      events.push({ type, data, metadata });
    streams.push({ stream, events });
  }
  const count = streams.reduce((sum, { events }) => sum + events.length, 0);
  const took = await runPeer<{ pongo: number; sql: number }>('emmett-project', {
    streams,
    postgresUrl: await setting.newDatabase(),
  });
  return [
    perSecond('emmett with Pongo, a document for each job', count, took.pongo),
    perSecond('emmett with SQL, a row for each entry', count, took.sql),
  ];
}

/** Case (mixed): projects a log in which nine of ten events are another program's. */
export async function mixedProjectionSpeed(setting: Setting): Promise<Report> {
  const ours = await recordJobs(setting, setting.sized(20_000), { foreignForEach: 9 });
  const rows = await project(setting, ours * 10, []);
  return { rows, targets: rows.map((row) => fastEnough(row, MIXED_TARGET)) };
}

const fastEnough = ({ name, value }: Row, target: number): Target => ({
  what: `${name}: at least ${target.toLocaleString('en-US')} events a second`,
  measured: `${Math.round(value)} /s`,
  reached: value >= target,
});

/** Projects a log of `count` events, then rebuilds these read models. */
async function project(
  setting: Setting,
  count: number,
  rebuilt: readonly string[],
): Promise<Row[]> {
  const { eventStore } = setting;
  const postgres = new Postgres({ url: await setting.newDatabase(), macs: TEST_MACS });
  const watch = new PositionWatch(postgres);
  const rebuilds = new Map<string, () => void>();
  const log = openLogger('info', {
    write: (line) => {
      const { msg, projection } = JSON.parse(line) as { msg: string; projection?: string };
      if (msg === 'A read model was rebuilt.') rebuilds.get(projection ?? '')?.();
    },
  });
  const projections = await productProjections();
  const runner = new ProjectionRunner({ ...{ eventStore, postgres, projections, watch, log } });
  const rows: Row[] = [];
  try {
    const end = (await eventStore.lastPosition()) ?? 0n;
    const began = performance.now();
    runner.start();
    await watch.waitFor(
      projections.map(({ name }) => name),
      end,
      PATIENCE_MS,
    );
    rows.push(perSecond('catch-up of all read models', count, performance.now() - began));
    for (const name of rebuilt) {
      const done = new Promise<void>((resolve) => rebuilds.set(name, resolve));
      const asked = performance.now();
      await requestRebuild(postgres, name);
      await done;
      rows.push(perSecond(`rebuild of ${name}`, count, performance.now() - asked));
    }
  } finally {
    await runner.stop();
    await watch.close();
    await postgres.close();
  }
  return rows;
}
