import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogger } from '#platform/start/logger.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';
import { note } from '../harness/jobs.js';
import { EVENTS_IN_JOB, recordedSeed, recordJobs, wordOf } from '../harness/recorded-jobs.js';
import { below, percentile, perSecond, type Report, type Row } from '../harness/report.js';
import { memoryOf, type RunningService, startServiceOn } from '../harness/service.js';
import { type Setting, withSetting } from '../harness/setting.js';
import { TimedCaller } from '../harness/timed-caller.js';

/** The numbers of events in the logs. */
const SIZES = [10_000, 1_000_000, 5_000_000];
/** A request may take at most so many times as long on the largest log as on the smallest one. */
const MOST = 1.2;
const MAX_MEGABYTES = 350;
const PATIENCE_MS = 3_600_000;
/** The events that are projected at once, so that the log is filled and projected beside each other. */
const PIECE = 100_000;
const CAUGHT_UP = 12_000;
const CATCH_UPS = 3;
/** Each round measures all logs one after the other, so that a slow moment of the machine affects all of them. */
const ROUNDS = 6;
const TURNS_A_ROUND = 40;
const WARM_UP = 400;
/** As many jobs are read and searched for in every log, from its beginning to its end. */
const ASKED_JOBS = 150;

/** The requests whose time is measured. */
const KINDS = ['single command', 'read of a job', 'search'] as const;
type Kind = (typeof KINDS)[number];

/** A log with its read models, on servers of its own. */
class GrownLog {
  private jobs = 0;
  private events = 0;
  private turns = 0;
  private service: RunningService | undefined;
  readonly times: Record<Kind, number[]> = {
    'single command': [],
    'read of a job': [],
    search: [],
  };
  readonly catchUps: number[] = [];

  private constructor(
    readonly size: number,
    private readonly setting: Setting,
    private readonly database: string,
  ) {}

  static async of(size: number, setting: Setting): Promise<GrownLog> {
    return new GrownLog(size, setting, await setting.newDatabase());
  }

  async fill(): Promise<void> {
    while (this.events < this.size)
      await this.projecting(() => this.record(Math.min(PIECE, this.size - this.events)));
  }

  /** Measures how quickly events are projected that were recorded while no process projected. */
  async catchUp(): Promise<void> {
    const before = this.events;
    await this.record(CAUGHT_UP);
    const began = performance.now();
    await this.projecting(() => Promise.resolve());
    const ms = performance.now() - began;
    this.catchUps.push(((this.events - before) * 1000) / ms);
  }

  async serve(): Promise<void> {
    const { database, setting } = this;
    this.service = await startServiceOn(setting, { database });
  }

  /** Sends requests of each kind, one at a time, and keeps how long each took unless it is a warm-up. */
  async take(turns: number, isMeasured: boolean): Promise<void> {
    const service = this.service!;
    const caller = new TimedCaller(service);
    const seed = `growth-${this.turns}`;
    await service.send('POST', '/v1/jobs', { job_seed: seed });
    for (let left = turns; left > 0; left -= 1) {
      const job = Math.floor(((this.turns++ % ASKED_JOBS) * this.jobs) / ASKED_JOBS);
      const insert = { type: 'fact', value: note(left), ttl_ticks: 10_000 };
      const took: Record<Kind, number> = {
        'single command': await caller.post(`/v1/jobs/${seed}/wm`, insert),
        'read of a job': await caller.get(`/v1/jobs/${recordedSeed(job)}`),
        search: await caller.post('/v1/search', { query: wordOf(job) }),
      };
      if (isMeasured) for (const kind of KINDS) this.times[kind].push(took[kind]);
    }
    caller.close();
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  async rows(): Promise<Row[]> {
    const millions = this.events / 1_000_000;
    const of = `${this.size.toLocaleString('en-US')} events`;
    const megabytes = (name: string, value: number): Row => ({
      ...{ name: `${name}, ${of}`, value, unit: 'megabytes' },
    });
    return [
      ...KINDS.map((kind): Row => ({
        ...{ name: `${kind}, ${of}, p50`, value: percentile(this.times[kind], 0.5), unit: 'ms' },
      })),
      perSecond(`catch-up, ${of}`, Math.max(...this.catchUps), 1_000),
      megabytes('resident memory of the service', await memoryOf(this.service!)),
      megabytes('the log on the disk, for a million', (await this.bytesOfLog()) / 1e6 / millions),
      megabytes('Postgres, for a million', (await this.bytesOfPostgres()) / 1e6 / millions),
    ];
  }

  private async record(events: number): Promise<void> {
    const count = await recordJobs(this.setting, events, { from: this.jobs, hasWords: true });
    this.jobs += Math.ceil(events / EVENTS_IN_JOB);
    this.events += count;
  }

  /** Projects what the log has and what the work adds. */
  private async projecting(work: () => Promise<void>): Promise<void> {
    const { eventStore } = this.setting;
    const postgres = new Postgres({ url: this.database, macs: TEST_MACS });
    const watch = new PositionWatch(postgres);
    const projections = await productProjections();
    const log = openLogger('silent');
    const runner = new ProjectionRunner({ eventStore, postgres, projections, watch, log });
    try {
      runner.start();
      await work();
      const end = (await eventStore.lastPosition()) ?? 0n;
      await watch.waitFor(
        projections.map(({ name }) => name),
        end,
        PATIENCE_MS,
      );
    } finally {
      await runner.stop();
      await watch.close();
      await postgres.close();
    }
  }

  private async bytesOfPostgres(): Promise<number> {
    const postgres = new Postgres({ url: this.database });
    const [row] = await postgres.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    );
    await postgres.close();
    return Number(row?.size);
  }

  private async bytesOfLog(): Promise<number> {
    const folder = join(this.setting.dataDir, 'event-store');
    const files = await readdir(folder, { recursive: true });
    const sizes = await Promise.all(
      files.map(async (name) => (await lstat(join(folder, name))).blocks),
    );
    return sizes.reduce((sum, blocks) => sum + blocks * 512, 0);
  }
}

/** Makes a log of each size, each on servers of its own, and works with all of them. */
async function withLogs<Result>(
  setting: Setting,
  sizes: readonly number[],
  work: (logs: readonly GrownLog[]) => Promise<Result>,
): Promise<Result> {
  const [size, ...others] = sizes;
  if (size === undefined) return work([]);
  const log = await GrownLog.of(setting.sized(size), setting);
  await log.fill();
  let result: Result | undefined;
  const goOn = async (next: Setting): Promise<void> => {
    result = await withLogs(next, others, (logs) => work([log, ...logs]));
  };
  if (others.length === 0) await goOn(setting);
  else await withSetting(setting.quick, goOn);
  return result!;
}

/** Case (growth): what a caller waits for, as the log grows. */
export const growth = (setting: Setting): Promise<Report> =>
  withLogs(setting, SIZES, async (logs) => {
    for (let round = 0; round < CATCH_UPS; round += 1) for (const log of logs) await log.catchUp();
    try {
      for (const log of logs) await log.serve();
      for (const log of logs) await log.take(WARM_UP, false);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const log of logs) await log.take(TURNS_A_ROUND, true);
      const tables: Row[][] = [];
      for (const log of logs) tables.push(await log.rows());
      const rows = tables[0]!.flatMap((_, place) => tables.map((table) => table[place]!));
      const [smallest, largest] = [tables[0]!, tables.at(-1)!];
      const flat = [...KINDS, 'catch-up'].map((name, place) => {
        const [one, other] = [smallest[place]!, largest[place]!];
        const factor = one.unit === 'ms' ? other.value / one.value : one.value / other.value;
        return {
          what: `${name}: on the largest log at most ${MOST} × what it takes on the smallest`,
          measured: `${factor.toPrecision(3)} ×`,
          reached: factor <= MOST,
        };
      });
      return { rows, targets: [...flat, below(largest[KINDS.length + 1]!, MAX_MEGABYTES)] };
    } finally {
      for (const log of logs) await log.stop();
    }
  });
