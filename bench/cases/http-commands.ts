import { runPeer } from '../harness/children.js';
import { note } from '../harness/jobs.js';
import { timedTurns } from '../harness/load.js';
import { atLeast, beside, perSecond, type Report } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const CONNECTIONS = 64;
const JOBS = 256;
const BATCH = 100;
const BATCHED_TARGET = 17_000;

interface Load {
  readonly requests: number;
  readonly ms: number;
  readonly failed: number;
}

/**
 * Case (b): a separate process sends commands to 256 jobs, so that few concurrent requests go to the
 * same job.
 */
export async function httpCommands(setting: Setting): Promise<Report> {
  const service = await startServiceOn(setting);
  try {
    const seeds = await startJobs(service);
    const seconds = setting.quick ? 2 : 10;
    const load = async (path: string, body: object): Promise<Load> => {
      const { url, token } = service;
      const target = { url, token, path, body, seeds, seconds, connections: CONNECTIONS };
      const result = await runPeer<Load>('http-load', target);
      if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
      return result;
    };
    const insert = { type: 'fact', value: note(1), ttl_ticks: 10_000 };
    const use = { op: 'wm_reference', wm_id: 'wm:{seed}:1' };
    const commands = new Array<object>(BATCH).fill(use);
    const ceiling = await load('/v1/ceiling/{seed}/wm', insert);
    const single = await load('/v1/jobs/{seed}/wm', insert);
    const batched = await load('/v1/jobs/{seed}/commands', { commands });
    const ours = perSecond('single commands', single.requests, single.ms);
    const rows = [
      beside(perSecond('a route that stores nothing', ceiling.requests, ceiling.ms), ours),
      ours,
      perSecond('commands in batches of 100', batched.requests * BATCH, batched.ms),
    ] as const;
    return {
      rows,
      targets: [
        atLeast('single: at least 0.35 × the ceiling', 0.35, rows[1], rows[0]),
        {
          what: 'batched: at least 17,000 a second',
          measured: `${Math.round(rows[2].value)} /s`,
          reached: rows[2].value >= BATCHED_TARGET,
        },
      ],
    };
  } finally {
    await service.stop();
  }
}

async function startJobs(service: RunningService): Promise<string[]> {
  const seeds = Array.from({ length: JOBS }, (_, index) => `load-${process.pid}-${index}`);
  await timedTurns(JOBS, 8, async (index) => {
    await service.send('POST', '/v1/jobs', { job_seed: seeds[index] });
    await service.send('POST', `/v1/jobs/${seeds[index]}/wm`, { type: 'fact', value: note(index) });
  });
  return seeds;
}
