import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { requestRebuild } from '#read-model/projection-records.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { openLogger } from '#platform/start/logger.js';
import type { JobCommand } from '#domain/job/commands.js';
import { insertOf, jobStore, nextIdentity, startOf } from '../harness/jobs.js';
import { timedTurns } from '../harness/load.js';
import { perSecond, type Report, type Row } from '../harness/report.js';
import type { Setting } from '../harness/setting.js';
import { productProjections } from '#test/support/product-projections.js';

const TARGET = 35_000;
const PATIENCE_MS = 600_000;
const REBUILT = ['sem', 'episodes', 'jobs'];

/**
 * Case (d): projects a log of jobs into empty read models, then rebuilds each read model beside the live
 * one.
 */
export async function projectionSpeed(setting: Setting): Promise<Report> {
  const { eventStore } = setting;
  const count = await recordJobs(setting, setting.sized(100_000));
  const postgres = new Postgres({ url: await setting.newDatabase() });
  const watch = new PositionWatch(postgres);
  const rebuilds = new Map<string, () => void>();
  const log = openLogger('info', {
    write: (line) => {
      const { msg, projection } = JSON.parse(line) as { msg: string; projection?: string };
      if (msg === 'A read model was rebuilt.') rebuilds.get(projection ?? '')?.();
    },
  });
  const projections = await productProjections();
  const runner = new ProjectionRunner({
    ...{ eventStore, postgres, projections, watch, log },
  });
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
    for (const name of REBUILT) {
      const rebuilt = new Promise<void>((resolve) => rebuilds.set(name, resolve));
      const asked = performance.now();
      await requestRebuild(postgres, name);
      await rebuilt;
      rows.push(perSecond(`rebuild of ${name}`, count, performance.now() - asked));
    }
  } finally {
    await runner.stop();
    await watch.close();
    await postgres.close();
  }
  return {
    rows,
    targets: rows.map(({ name, value }) => ({
      what: `${name}: at least 35,000 events a second`,
      measured: `${Math.round(value)} /s`,
      reached: value >= TARGET,
    })),
  };
}

/** Records jobs of about 60 events, with episodes at their end. Returns the number of events in the log. */
async function recordJobs({ eventStore }: Setting, events: number): Promise<number> {
  const store = jobStore(eventStore);
  let count = 0;
  await timedTurns(Math.ceil(events / 60), 16, async (index) => {
    const seed = `project-${index}`;
    const { version } = await store.execute(`job-${seed}`, commandsOf(seed), nextIdentity());
    count += version + 1;
  });
  return count;
}

function commandsOf(seed: string): JobCommand[] {
  const rounds = Array.from({ length: 10 }, (_, round): JobCommand[] => [
    insertOf(2 * round, 3),
    insertOf(2 * round + 1, 3),
    { op: 'wm_reference', wm_id: `wm:${seed}:${2 * round + 1}` },
    { op: 'tick' },
  ]);
  return [startOf(seed), ...rounds.flat(), { op: 'end' }];
}
