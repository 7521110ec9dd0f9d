import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds } from '../harness/children.js';
import { INSERT, loadOf, startJobs } from '../harness/http-load.js';
import { perSecond, type Report, type Row } from '../harness/report.js';
import {
  metricOf,
  newKeys,
  type RunningService,
  startProjectorOn,
  startServiceOn,
} from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const CONNECTIONS = 64;
const PAUSE_MS = 2_000;
/** How many times the CPU of one instance, which does everything, a command may take. */
const MOST = 1.1;

/** A process of an installation. */
interface Named {
  readonly name: string;
  readonly pid: number;
}

/** Sends commands to all services at once; returns their rate, the lag after it, and the CPU of each process a command. */
async function measured(
  what: string,
  services: readonly RunningService[],
  processes: readonly Named[],
  { quick }: Setting,
): Promise<{ readonly rows: readonly Row[]; readonly cpu: number }> {
  const seeds = await Promise.all(
    services.map((service, at) => startJobs(service, `${services.length}-${at}`)),
  );
  const cpuOf = () => Promise.all(processes.map(({ pid }) => cpuSeconds(pid)));
  const before = await cpuOf();
  const connections = CONNECTIONS / services.length;
  const sent = { ...INSERT, connections, seconds: quick ? 2 : 10 };
  const loads = await Promise.all(services.map((service, at) => loadOf(service, seeds[at]!, sent)));
  await delay(PAUSE_MS);
  const after = await cpuOf();
  const commands = loads.reduce((sum, { requests }) => sum + requests, 0);
  const ms = Math.max(...loads.map((load) => load.ms));
  // The load generator warms up for a second, with commands that it does not count.
  const all = (commands * (ms + 1_000)) / ms;
  const each = after.map((seconds, at) => ((seconds - before[at]!) * 1000) / all);
  const lags = await Promise.all(
    services.map((service) => metricOf(service, 'mace_projection_lag_positions')),
  );
  return {
    rows: [
      perSecond(`single commands, ${what}`, commands, ms),
      ...processes.map(({ name }, at): Row => ({
        ...{ name: `CPU a command, ${what}: ${name}`, value: each[at]!, unit: 'ms' },
      })),
      { name: `lag after 2 s, ${what}`, value: Math.max(...lags.flat()), unit: 'positions' },
    ],
    cpu: each.reduce((sum, one) => sum + one, 0),
  };
}

const alone = async (setting: Setting) => {
  const service = await startServiceOn(setting);
  try {
    return await measured('one instance', [service], [{ ...service, name: 'service' }], setting);
  } finally {
    await service.stop();
  }
};

const together = async (setting: Setting) => {
  const installation = { database: await setting.newDatabase(), keys: newKeys() };
  const MACE_DATA_DIR = await mkdtemp(join(setting.dataDir, 'instances-'));
  const options = { ...installation, env: { MACE_PROJECTIONS: 'external', MACE_DATA_DIR } };
  const projector = await startProjectorOn(setting, installation);
  const services: RunningService[] = [];
  try {
    for (let count = 0; count < 2; count += 1)
      services.push(await startServiceOn(setting, options));
    const processes = services.map((service, at) => ({ ...service, name: `service ${at + 1}` }));
    return await measured(
      'two and a projector',
      services,
      [...processes, { ...projector, name: 'projector' }],
      setting,
    );
  } finally {
    for (const service of services) await service.stop();
    await projector.stop();
  }
};

/** Case (instances): single commands to one service, and to two services beside a projector of its own. */
export async function instances(setting: Setting): Promise<Report> {
  const one = await alone(setting);
  const two = await together(setting);
  const factor = two.cpu / one.cpu;
  return {
    rows: [...one.rows, ...two.rows],
    targets: [
      {
        what: `CPU a command of all three processes: at most ${MOST} × that of one instance`,
        measured: `${factor.toPrecision(3)} ×`,
        reached: factor <= MOST,
      },
    ],
  };
}
