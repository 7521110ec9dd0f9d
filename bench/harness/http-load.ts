import { runPeer } from './children.js';
import { note } from './jobs.js';
import { timedTurns } from './load.js';
import type { RunningService } from './service.js';

const CONNECTIONS = 64;
const JOBS = 256;

/** A single command; `{seed}` stands for the seed of a job. */
export const INSERT = {
  path: '/v1/jobs/{seed}/wm',
  body: { type: 'fact', value: note(1), ttl_ticks: 10_000 },
} as const;

/** How many requests were answered, and in what time. */
export interface Load {
  readonly requests: number;
  readonly ms: number;
  readonly failed: number;
}

interface Sent {
  readonly path: string;
  readonly body: object;
  readonly seconds: number;
  readonly connections?: number;
}

/** Sends one request again and again, from a separate process, each time to one of the jobs. */
export async function loadOf(
  { url, token }: RunningService,
  seeds: readonly string[],
  { connections = CONNECTIONS, ...sent }: Sent,
): Promise<Load> {
  const result = await runPeer<Load>('http-load', { url, token, seeds, connections, ...sent });
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  return result;
}

/** Starts jobs with one entry each, and returns their seeds. */
export async function startJobs(
  service: RunningService,
  round: number | string,
): Promise<string[]> {
  const name = `load-${process.pid}-${round}`;
  const seeds = Array.from({ length: JOBS }, (_, index) => `${name}-${index}`);
  await timedTurns(JOBS, 8, async (index) => {
    await service.send('POST', '/v1/jobs', { job_seed: seeds[index] });
    await service.send('POST', `/v1/jobs/${seeds[index]}/wm`, { type: 'fact', value: note(index) });
  });
  return seeds;
}
