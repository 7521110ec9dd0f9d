import { timedTurns } from '../harness/load.js';
import { runPeer } from '../harness/children.js';
import { insertOf, jobStore, nextIdentity, startOf } from '../harness/jobs.js';
import { atLeast, beside, perSecond, type Report } from '../harness/report.js';
import type { Setting } from '../harness/setting.js';

const WRITERS = 64;
const ENTRIES_A_JOB = 900;

/** Case (a): one event per append, acknowledged when it is on disk. Each writer uses its own streams. */
export async function appends(setting: Setting): Promise<Report> {
  const count = setting.sized(50_000);
  const ours = await throughAggregates(setting, count);
  const postgresUrl = await setting.newDatabase();
  const peer = { postgresUrl, count: setting.sized(20_000), writers: WRITERS };
  const emmett = await runPeer<Peer>('emmett-append', peer);
  const insert = await runPeer<Peer>('bare-insert', peer);
  const path = perSecond('our append path (decide, hash, append)', count, ours);
  const rows = [
    path,
    beside(perSecond('emmett appendToStream', emmett.count, emmett.ms, emmett.note), path),
    beside(perSecond('bare INSERT', insert.count, insert.ms, insert.note), path),
  ] as const;
  return {
    rows,
    targets: [
      atLeast('at least 4 × emmett', 4, rows[0], rows[1]),
      atLeast('at least 1 × the bare INSERT', 1, rows[0], rows[2]),
    ],
  };
}

interface Peer {
  readonly count: number;
  readonly ms: number;
  readonly note: string;
}

async function throughAggregates({ eventStore }: Setting, count: number): Promise<number> {
  const store = jobStore(eventStore);
  const streamOf = (writer: number, turn: number): string =>
    `job-append-${writer}-${Math.floor(turn / ENTRIES_A_JOB)}`;
  const turns = new Array<number>(WRITERS).fill(0);
  const rounds = Math.ceil((2 * count) / WRITERS / ENTRIES_A_JOB) + 1;
  await timedTurns(WRITERS * rounds, WRITERS, async (index) => {
    const stream = streamOf(index % WRITERS, Math.floor(index / WRITERS) * ENTRIES_A_JOB);
    await store.execute(stream, [startOf(stream.slice('job-'.length))], nextIdentity());
  });
  return timedTurns(count, WRITERS, async (index, writer) => {
    const turn = turns[writer] ?? 0;
    turns[writer] = turn + 1;
    await store.execute(streamOf(writer, turn), [insertOf(index)], nextIdentity());
  });
}
