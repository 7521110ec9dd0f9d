import { MaceArgumentError } from '#client/arguments.js';
import type { MaceClient } from '#client/mace-client.js';
import { MaceError } from '#client/mace-error.js';
import { inParallel } from '#platform/in-parallel.js';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { coloursFor } from '../terminal/colour.js';
import { counted } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';

const AT_A_TIME = 4;

/** A job that the service refused, or that no URL can name, with its error. */
interface FailedJob {
  readonly job_seed: string;
  readonly code: string;
  readonly message: string;
  /** Null if nothing was sent. */
  readonly trace_id: string | null;
}

interface Outcomes<Result> {
  readonly done: readonly Result[];
  readonly failed: readonly FailedJob[];
}

/**
 * Works on each job, and shows the progress as `what`. A refusal of one of several jobs is collected, and the work goes
 * on; a refusal of the only job, and an unreachable service, end the command.
 */
export async function eachJob<Result>(
  jobs: readonly string[],
  what: string,
  work: (seed: string) => Promise<Result>,
): Promise<Outcomes<Result>> {
  const progress = new Progress(what, jobs.length);
  const failed: FailedJob[] = [];
  const attempt = async (job_seed: string): Promise<Result | undefined> => {
    try {
      return await work(job_seed);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined || jobs.length === 1) throw error;
      failed.push({ job_seed, ...failure });
      return undefined;
    } finally {
      progress.advance();
    }
  };
  const results = await inParallel(jobs, AT_A_TIME, attempt).finally(() => progress.finish());
  return { done: results.filter((result) => result !== undefined), failed };
}

/** Prints the failures to standard error, and sets the exit code; does nothing without failures. */
export function printFailed(failed: readonly FailedJob[], what: string): void {
  if (failed.length === 0) return;
  const { red } = coloursFor(process.stderr);
  for (const { job_seed, code, message, trace_id } of failed)
    console.error(
      `${red('FAILED')}     ${job_seed}  ${code}: ${message}${trace_id === null ? '' : ` (trace ${trace_id})`}`,
    );
  console.error(`${counted(failed.length, 'job')} ${what}`);
  process.exitCode = EXIT.couldNotCheck;
}

function failureOf(error: unknown): Omit<FailedJob, 'job_seed'> | undefined {
  if (error instanceof MaceArgumentError)
    return { code: 'INVALID_INPUT', message: error.message, trace_id: null };
  if (!(error instanceof MaceError)) return undefined;
  return { code: error.code, message: error.developerMessage, trace_id: error.traceId };
}

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
