import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { jobStream } from '#domain/stream-names.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { until } from '#test/faults/support/until.js';
import { operationFaults } from './checks/operations.js';
import { Deployment } from './deployment.js';
import { FaultRecord, injectFaults } from './fault-injection.js';
import { nodeFaults } from './plan.js';
import { Random } from './random.js';
import { SoakedJob, SoakFigures } from './soaked-job.js';

// Asks for every acknowledged entry while the event store is killed and paused:
// npm run soak -- --minutes 60 [--seed N]
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('--minutes must be a positive number, and --seed a whole number');

/** The numbers of clients that write one job together, one number for each group. */
const GROUPS = [...new Array<number>(8).fill(1), 4, 4, 4];
const FINISH_WITHIN_MS = 60_000;

// Each server and each folder has a listener that cleans up.
process.setMaxListeners(100);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const random = new Random(seed, 'soak');
const figures = new SoakFigures();
const record = new FaultRecord();
const lines: string[] = [];
const began = Date.now();
const log = (line: string): void =>
  void lines.push(`${((Date.now() - began) / 1000).toFixed(2)} ${line}`);
const minute = (): string => `${Math.round((Date.now() - began) / 60_000)} min:`;
const signals = (): string =>
  [...record.signals].map(([signal, times]) => `${times} ${signal}`).join(', ') || 'no signal';

say(`Soak of ${minutes} minutes with the seed ${seed}`);
const deployment = await Deployment.start(
  {
    onEnd: (name, cause) => figures.wrong('other', `${name} ended by itself: ${cause}`),
    onFailedStart: (name, cause) => log(`${name} did not start: ${cause}`),
    onSlowStop: (name) => log(`${name} did not end after SIGTERM`),
  },
  false,
  log,
);
const store = connectEventStore(deployment.urls['event-store']);
const closing = new AbortController();
const closed = new AbortController();
const over = new AbortController();
setMaxListeners(0, closing.signal, closed.signal, over.signal);
const jobs: SoakedJob[] = [];
const progress = setInterval(() => say(`${minute()} ${figures.text()}; ${signals()}`), 60_000);
try {
  const faults = injectFaults(
    deployment,
    nodeFaults(random.of('faults')),
    random.of('pages'),
    record,
    over.signal,
    log,
  );
  const work = Promise.all(
    GROUPS.map(async (size, index) => {
      const own = random.of(`group-${index}`);
      for (let number = 0; !closing.signal.aborted; number += 1) {
        const job = await SoakedJob.start(
          { instances: deployment.instances, closing: closing.signal, closed: closed.signal },
          figures,
          own.of(`job-${number}`),
          `group-${index}`,
        );
        if (job === undefined) continue;
        jobs.push(job);
        await job.write(size);
        await check(job);
      }
    }),
  );
  await Promise.race([work, delay(minutes * 60_000)]);
  over.abort();
  await faults;
  closing.abort();
  const patience = setTimeout(() => closed.abort(), FINISH_WITHIN_MS);
  await work;
  clearTimeout(patience);
  // Everything is asked for once more, long after its acknowledgement.
  for (const job of jobs) await job.askForAll(1);
} catch (error) {
  figures.wrong('other', (error as Error).message);
} finally {
  clearInterval(progress);
  closing.abort();
  closed.abort();
  over.abort();
  await store.close();
  await deployment.stop();
}
if (figures.found.length > 0) {
  const file = join(tmpdir(), `mace-soak-${seed}.log`);
  writeFileSync(file, [...lines, ...figures.found].join('\n'));
  say(`What was found, and the output of all processes, is in ${file}`);
}
say(
  `${figures.found.length === 0 ? 'PASS' : 'FAIL'} after ${minutes} min with the seed ${seed}: ${figures.text()}; ${signals()}`,
);
process.exitCode = figures.found.length === 0 ? 0 : 1;

/** Compares a finished job's operations with its stream in the log, then forgets them. */
async function check(job: SoakedJob): Promise<void> {
  let events: readonly LoggedEvent[] = [];
  await until(`${job.seed} is read from the log`, async () => {
    events = await eventsOf(store, job.seed);
    return true;
  });
  const streams = new Map([[jobStream(job.seed), events]]);
  for (const fault of operationFaults(streams, job.journal.operations))
    figures.wrong(/log has 0 /.test(fault) ? 'lost' : 'doubled', fault);
  for (const fault of job.journal.broken)
    figures.wrong(/NOT_FOUND/.test(fault) ? '404' : 'other', fault);
  job.forget();
}

async function eventsOf(log: EventStore, job: string): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of readRecorded(log, jobStream(job))) events.push(event);
  return events;
}
