import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Postgres } from '#read-model/postgres.js';
import { root } from '../harness/children.js';
import { below, type Report, type Row } from '../harness/report.js';
import { SearchedData } from '../harness/searched-data.js';
import type { Setting } from '../harness/setting.js';

const USERS = 100_000;

/** What the program measured in one search. */
export interface Measured {
  readonly ms: number;
  readonly longestTurnMs: number;
  readonly grownBytes: number;
  readonly hits: number;
}

/** Case (search-owners): an auditor’s first and second search, in a process that has searched little before. */
export async function searchOwners(setting: Setting): Promise<Report> {
  const url = await setting.newDatabase();
  const postgres = new Postgres({ url });
  const users = setting.sized(USERS);
  try {
    const data = new SearchedData(postgres);
    await data.create();
    await data.addUsers(users);
    const [first, second] = await measuredIn(url, data.position);
    const rows = [...rowsOf('first', first!), ...rowsOf('second', second!)];
    return {
      rows,
      targets: rows.flatMap((row) =>
        row.unit === 'megabytes'
          ? [below(row, 300)]
          : /turn/.test(row.name)
            ? [below(row, 50)]
            : [],
      ),
    };
  } finally {
    await postgres.close();
  }
}

function rowsOf(which: string, { ms, longestTurnMs, grownBytes, hits }: Measured): Row[] {
  const name = `an auditor’s ${which} search`;
  return [
    { name, value: ms, unit: 'ms', note: `${hits} hits` },
    { name: `${name}, its longest turn of the event loop`, value: longestTurnMs, unit: 'ms' },
    { name: `${name}, growth of the process at most`, value: grownBytes / 1e6, unit: 'megabytes' },
  ];
}

async function measuredIn(url: string, position: bigint): Promise<Measured[]> {
  const heap = ['--expose-gc', '--max-semi-space-size=32', '--max-old-space-size=768'];
  const child = spawn(process.execPath, [...heap, `${root}dist/bench/service/search-owners.js`], {
    env: { ...process.env, SEARCHED_URL: url, SEARCHED_POSITION: String(position) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const measured: Measured[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    measured.push(JSON.parse(line) as Measured);
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error('The searching program failed');
  return measured;
}
