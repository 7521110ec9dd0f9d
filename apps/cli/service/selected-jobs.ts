import type { MaceClient } from '#client/mace-client.js';
import { couldNotCheck } from '../exit-code.js';

/** Returns the given seeds or, with `all`, the seeds of all jobs that the caller may see. */
export async function selectedJobs(
  client: MaceClient,
  seeds: readonly string[],
  all = false,
): Promise<readonly string[]> {
  if (all === seeds.length > 0)
    throw couldNotCheck(
      all ? 'Name seeds or give --all, not both.' : 'Name a seed, or give --all.',
    );
  if (!all) return [...new Set(seeds)];
  const found: string[] = [];
  for await (const { job_seed } of client.jobs.all()) found.push(job_seed);
  if (found.length === 0) throw couldNotCheck('The service has no job that this token may see.');
  return found;
}
