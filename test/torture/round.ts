import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Deployment } from './deployment.js';
import { findFaults } from './checks.js';
import { FaultRecord, injectFaults } from './fault-injection.js';
import { Journal } from './journal.js';
import type { ProcessEvents } from './managed-process.js';
import { describeFault, LANES, planOf } from './plan.js';
import { Random } from './random.js';
import { Workload } from './workload/workload.js';

const FINISH_WITHIN_MS = 60_000;
const SMALL_DISKS = 0.7;

export interface Round {
  readonly journal: Journal;
  readonly record: FaultRecord;
  readonly faults: readonly string[];
  /** The longest time without an answer while the clients were at work, in ms. */
  readonly longestSilence: number;
}

/**
 * Runs the workload under faults for `ms`, then heals everything and checks what is left. `show` gets the
 * progress as one line.
 */
export async function runRound(
  seed: number,
  ms: number,
  show: (line: string) => void,
): Promise<Round> {
  const random = new Random(seed, 'round');
  const journal = new Journal();
  const record = new FaultRecord();
  const lines: string[] = [];
  const began = Date.now();
  const log = (line: string): void =>
    void lines.push(`${((Date.now() - began) / 1000).toFixed(2)} ${line}`);
  const present = (): string => [...record.present].map(describeFault).join(', ') || 'no fault';
  const events: ProcessEvents = {
    onEnd: (name, cause) => {
      log(`${name} ended by itself: ${cause}`);
      // Postgres ends when it cannot write its log.
      const isFull = [...record.present].some(({ kind }) => kind === 'full-disk');
      if (!(name === 'postgres' && isFull))
        journal.mustNotBe(`${name} ended by itself under ${present()}: ${cause}`);
    },
    onFailedStart: (name, cause) => {
      log(`${name} did not start under ${present()}: ${cause}`);
      journal.failed(`${name} did not start`);
    },
    onSlowStop: (name) => journal.mustNotBe(`${name} did not end after SIGTERM under ${present()}`),
  };
  // The other rounds are on the machine's disk, where a write takes its real time.
  const smallDisks = random.of('disk').chance(SMALL_DISKS);
  const deployment = await Deployment.start(events, smallDisks, log);
  const workload = new Workload(deployment.instances, journal, random.of('workload'));
  const progress = setInterval(
    () =>
      show(
        `${journal.operations.length} operations, ${journal.count('acknowledged')} acknowledged, now ${present()}`,
      ),
    5_000,
  );
  const over = new AbortController();
  try {
    workload.start();
    const lanes = LANES.filter((lane) => smallDisks || lane !== 'disks').map((lane) => {
      const own = random.of(lane);
      return injectFaults(deployment, planOf(lane, own), own.of('pages'), record, over.signal, log);
    });
    await delay(ms);
    over.abort();
    await Promise.all(lanes);
    await workload.finish(FINISH_WITHIN_MS);
    clearInterval(progress);
    const { longestSilence } = journal;
    const found = await findFaults(deployment, journal, (name) => {
      log(`check: ${name}`);
      show(`checking that ${name}`);
    });
    const faults = [...journal.broken, ...found];
    if (faults.length > 0) {
      const file = join(tmpdir(), `mace-torture-${seed}.log`);
      writeFileSync(file, [...lines, ...faults].join('\n'));
      faults.push(`The output of all processes and the times of the faults are in ${file}`);
    }
    return { journal, record, faults, longestSilence };
  } finally {
    clearInterval(progress);
    over.abort();
    await deployment.stop();
  }
}
