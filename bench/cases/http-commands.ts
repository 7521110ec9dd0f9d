import { setTimeout as delay } from 'node:timers/promises';
import { INSERT, type Load, loadOf, startJobs } from '../harness/http-load.js';
import { atLeast, below, beside, perSecond, type Report, type Row } from '../harness/report.js';
import { memoryOf, metricOf, type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The time that a real server takes for an append with 64 writers, in ms. */
const DELAY_MS = 1;

/** Runs `work` with a connection string to the same server, each of whose answers arrives later. */
async function withSlowedServer<Result>(
  url: string,
  work: (slowedUrl: string) => Promise<Result>,
): Promise<Result> {
  const target = new URL(url.replace(/^\w+:/, 'http:'));
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(server);
    server.on('data', (chunk) => setTimeout(() => client.write(chunk), DELAY_MS));
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  try {
    return await work(url.replace(target.host, `127.0.0.1:${port}`));
  } finally {
    for (const socket of sockets) socket.destroy();
    listener.close();
  }
}

const BATCH = 100;
const SINGLE_TARGET = 0.32;
const SLOWED_SINGLE_TARGET = 0.45;
const BATCHED_TARGET = 15_000;
/** How long after the load the lag is measured, in ms. */
const PAUSE_MS = 2_000;
const MAX_LAG = 1_000;
const MAX_MEGABYTES = 450;

/**
 * Case (b): a separate process sends commands to 256 jobs, so that few concurrent requests go to the
 * same job. Afterwards it measures how far the read models are behind, and the memory of the service; and then the
 * same commands with a gate that scans nothing.
 */
export const httpCommands = (setting: Setting): Promise<Report> =>
  commandsOverHttp(setting, SINGLE_TARGET);

/** Case (slow): as case (b), on a server that answers as late as a real one. */
export const slowedCommands = (setting: Setting): Promise<Report> =>
  withSlowedServer(setting.eventStoreUrl, (eventStoreUrl) =>
    commandsOverHttp({ ...setting, eventStoreUrl }, SLOWED_SINGLE_TARGET),
  );

async function commandsOverHttp(setting: Setting, singleTarget: number): Promise<Report> {
  const { rows, targets } = await withTheGate(setting, singleTarget);
  const [, single, batched] = rows;
  const service = await startServiceOn(setting, { gate: 'pass-through' });
  try {
    const ungated = await oneRound(service, setting, 0);
    return {
      rows: [
        ...rows,
        beside(singleRow(ungated, 'single commands, the gate scans nothing'), single),
        beside(batchedRow(ungated, 'batches of 100, the gate scans nothing'), batched),
      ],
      targets,
    };
  } finally {
    await service.stop();
  }
}

const singleRow = ({ single }: Loads, name: string): Row =>
  perSecond(name, single.requests, single.ms);

const batchedRow = ({ batched }: Loads, name: string): Row =>
  perSecond(name, batched.requests * BATCH, batched.ms);

async function withTheGate(setting: Setting, singleTarget: number) {
  const service = await startServiceOn(setting);
  try {
    const rounds = Number(process.env['BENCH_ROUNDS'] ?? 1);
    for (let round = 1; round < rounds; round += 1) await oneRound(service, setting, round);
    const loads = await oneRound(service, setting, rounds);
    const { ceiling } = loads;
    const after = await stateOf(service);
    await delay(PAUSE_MS);
    const later = await stateOf(service);
    const lag: Row = {
      name: 'lag of the read models 2 s after the load',
      value: later.lag,
      unit: 'positions',
      note: `at its end: ${after.lag}`,
    };
    const memory: Row = {
      name: 'resident memory after the load',
      value: after.megabytes,
      unit: 'megabytes',
    };
    const ours = singleRow(loads, 'single commands');
    const rows = [
      beside(perSecond('a route that stores nothing', ceiling.requests, ceiling.ms), ours),
      ours,
      batchedRow(loads, 'commands in batches of 100'),
      lag,
      memory,
    ] as const;
    return {
      rows,
      targets: [
        atLeast(`single: at least ${singleTarget} × the ceiling`, singleTarget, rows[1], rows[0]),
        {
          what: 'batched: at least 15,000 a second',
          measured: `${Math.round(rows[2].value)} /s`,
          reached: rows[2].value >= BATCHED_TARGET,
        },
        below(lag, MAX_LAG),
        below(memory, MAX_MEGABYTES),
      ],
    };
  } finally {
    await service.stop();
  }
}

interface Loads {
  readonly ceiling: Load;
  readonly single: Load;
  readonly batched: Load;
}

/** Sends each of the three loads for ten seconds, to jobs of their own. */
async function oneRound(
  service: RunningService,
  { quick }: Setting,
  round: number,
): Promise<Loads> {
  const seeds = await startJobs(service, round);
  const load = (path: string, body: object): Promise<Load> =>
    loadOf(service, seeds, { path, body, seconds: quick ? 2 : 10 });
  const use = { op: 'wm_reference', wm_id: 'wm:{seed}:1' };
  const commands = new Array<object>(BATCH).fill(use);
  return {
    ceiling: await load('/v1/ceiling/{seed}/wm', INSERT.body),
    single: await load(INSERT.path, INSERT.body),
    batched: await load('/v1/jobs/{seed}/commands', { commands }),
  };
}

/** Returns the lag of the read model that is furthest behind, and the resident memory, from the metrics. */
const stateOf = async (service: RunningService): Promise<{ lag: number; megabytes: number }> => ({
  lag: Math.max(...(await metricOf(service, 'mace_projection_lag_positions'))),
  megabytes: await memoryOf(service),
});
