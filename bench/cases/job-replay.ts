import { fold } from '#domain/decider.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobEvent } from '#domain/job/events.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { runPeer } from '../harness/children.js';
import { insertOf, jobStore, nextIdentity, startOf } from '../harness/jobs.js';
import { atLeast, beside, perSecond, type Report } from '../harness/report.js';
import type { Setting } from '../harness/setting.js';

const ROUNDS = 5;
const SEED = 'long-job';

/**
 * Case (c): replay of one job of 10,000 events. emmett folds the same events with the same function,
 * from its own store.
 */
export async function jobReplay(setting: Setting): Promise<Report> {
  const { eventStore } = setting;
  const size = setting.sized(10_000);
  await recordJob(setting, size);
  const stream = `job-${SEED}`;
  const events = [];
  for await (const event of readRecorded(eventStore, stream)) events.push(event);
  const count = events.length;
  const facts = events as readonly unknown[] as readonly JobEvent[];

  const folding = await best(async () => {
    fold(jobDecider, jobDecider.initialState(stream), facts);
  });
  const replaying = await best(async () => {
    const recorded = readRecorded(eventStore, stream);
    const { identical } = await replayStream(jobDecider, stream, recorded, 'audit');
    if (!identical) throw new Error('The replay of the job is not identical to the recorded job');
  });
  const lines = events.map(({ type, data, metadata }) => JSON.stringify({ type, data, metadata }));
  const parsing = await best(async () => {
    for (const line of lines) JSON.parse(line);
  });
  const emmett = await runPeer<{ count: number; ms: number }>('emmett-aggregate', {
    postgresUrl: await setting.newDatabase(),
    stream,
    rounds: ROUNDS,
    events: lines,
  });
  const folded = perSecond('the fold alone', count, folding);
  const rows = [
    folded,
    perSecond('the whole replay (read, fold, decide, hash)', count, replaying),
    beside(perSecond('emmett aggregateStream', emmett.count, emmett.ms), folded),
    beside(perSecond('a bare JSON.parse loop', count, parsing), folded),
  ] as const;
  return {
    rows,
    targets: [
      atLeast('the fold: at least 10 × emmett', 10, rows[0], rows[2]),
      atLeast('the whole replay: at least 0.6 × emmett', 0.6, rows[1], rows[2]),
    ],
  };
}

/** Records inserts, uses and ticks as an agent makes them. Entries are promoted, expire and leave the CWM. */
async function recordJob({ eventStore }: Setting, size: number): Promise<void> {
  const store = jobStore(eventStore);
  const stream = `job-${SEED}`;
  let { version } = await store.execute(stream, [startOf(SEED)], nextIdentity());
  for (let entry = 1; version < size - 1; entry += 3) {
    const { results } = await store.execute(
      stream,
      [insertOf(entry, 3), insertOf(entry + 1, 3), insertOf(entry + 2, 3), { op: 'tick' }],
      nextIdentity(),
    );
    const [inserted] = results;
    if (inserted === null || inserted === undefined || !('wm_id' in inserted))
      throw new TypeError('no entry');
    const { wm_id } = inserted;
    const use: JobCommand = { op: 'wm_reference', wm_id };
    ({ version } = await store.execute(stream, [use, use, { op: 'tick' }], nextIdentity()));
  }
}

async function best(work: () => Promise<void>): Promise<number> {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}
