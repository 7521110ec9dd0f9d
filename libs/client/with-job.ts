import type { ArgumentKind } from './argument-kinds.js';
import { requireOptions } from './arguments.js';
import type { JobEnded, JobHandle, Jobs, StartJob } from './jobs.js';
import { isMaceError } from './mace-error.js';
import type { ReflectiveLogs } from './reflective-logs.js';
import { carriableText } from './texts.js';

export interface WithJobOptions {
  /**
   * If true, a running job with the same seed is continued, for example after a crash. By default, the
   * call then fails with JOB_EXISTS. An ended job is never continued.
   */
  readonly resume?: boolean;
  /**
   * Called with the answer to the end, before the call returns: what was kept, and what is gone. Not called if
   * the work has ended the job itself, or has failed.
   */
  readonly onEnd?: (ended: JobEnded) => void;
}

const OPTIONS = {
  resume: 'flag?',
  onEnd: 'function?',
} as const satisfies Record<keyof WithJobOptions, ArgumentKind>;

export interface JobParts {
  readonly jobs: Jobs;
  readonly reflectiveLogs: ReflectiveLogs;
  readonly handle: (seed: string) => JobHandle;
}

/** The tag of the log of a job whose work has failed. */
const FAILED = 'failed';

/** Runs work in a job, and ends the job whatever happens. See `MaceClient.withJob`. */
export async function withJob<Result>(
  { jobs, reflectiveLogs, handle }: JobParts,
  start: StartJob,
  work: (job: JobHandle) => Result | Promise<Result>,
  options: WithJobOptions = {},
): Promise<Result> {
  requireOptions(options, OPTIONS);
  const job = handle(await started(jobs, start, options));
  let result: Result;
  try {
    result = await work(job);
  } catch (error) {
    // The caller gets the error of the work, even if ending the job fails as well.
    await endFailed(reflectiveLogs, job, error).catch(() => undefined);
    throw error;
  }
  const answer = await ended(job);
  if (answer !== undefined) options.onEnd?.(answer);
  return result;
}

async function started(jobs: Jobs, start: StartJob, { resume }: WithJobOptions): Promise<string> {
  try {
    return (await jobs.start(carriable(start))).job_seed;
  } catch (error) {
    if (resume === true && start.job_seed !== undefined && isMaceError(error, 'JOB_EXISTS'))
      return start.job_seed;
    throw error;
  }
}

/** A goal never costs a run: what cannot be stored is replaced by U+FFFD. */
const carriable = ({ goal, ...start }: StartJob): StartJob =>
  typeof goal === 'string' ? { ...start, goal: carriableText(goal).text } : { ...start, goal };

/** Ends a job, unless the work has ended it. Returns the answer, if this call has ended it. */
async function ended(job: JobHandle): Promise<JobEnded | undefined> {
  try {
    return await job.end();
  } catch (error) {
    if (isMaceError(error, 'JOB_ENDED')) return undefined;
    throw error;
  }
}

async function endFailed(logs: ReflectiveLogs, job: JobHandle, error: unknown): Promise<void> {
  const logId = (await ended(job))?.reflective_log_id ?? (await logOf(logs, job.seed));
  if (logId !== undefined) await logs.tag(logId, [FAILED, codeOf(error)]);
}

async function logOf(logs: ReflectiveLogs, job_seed: string): Promise<string | undefined> {
  const { reflective_logs } = await logs.list({ job_seed });
  return reflective_logs[0]?.log_id;
}

/** Returns the code of an error, such as `VERSION_CONFLICT` or `ECONNRESET`, or else its name. Never its message. */
function codeOf(error: unknown): string {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly name?: unknown;
  };
  const named = [code, name].find(
    (text): text is string => typeof text === 'string' && /^[\w.:-]{1,64}$/.test(text),
  );
  return named ?? 'Error';
}
