import { MaceArgumentError } from '#client/arguments.js';
import { MaceError } from '#client/mace-error.js';
import { coloursFor } from '../terminal/colour.js';
import { counted } from '../terminal/output.js';

/** A job that the service refused, or that no URL can name, with its error. */
interface FailedJob {
  readonly job_seed: string;
  readonly code: string;
  readonly message: string;
  /** Null if nothing was sent. */
  readonly trace_id: string | null;
}

/** Collects the jobs that fail, so that a command on many jobs goes on after one bad job. */
export class JobFailures {
  readonly found: FailedJob[] = [];

  constructor(private readonly jobs: readonly string[]) {}

  /**
   * Runs the work on one of several jobs; undefined if it is refused. A refusal of the only job, and an
   * unreachable service, end the command.
   */
  async goOn<Result>(job_seed: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined || this.jobs.length === 1) throw error;
      this.found.push({ job_seed, ...failure });
      return undefined;
    }
  }

  /** Prints the failures to standard error; prints nothing without failures. */
  print(what: string): void {
    if (this.found.length === 0) return;
    const { red } = coloursFor(process.stderr);
    for (const { job_seed, code, message, trace_id } of this.found)
      console.error(
        `${red('FAILED')}     ${job_seed}  ${code}: ${message}${trace_id === null ? '' : ` (trace ${trace_id})`}`,
      );
    console.error(`${counted(this.found.length, 'job')} ${what}`);
  }
}

function failureOf(error: unknown): Omit<FailedJob, 'job_seed'> | undefined {
  if (error instanceof MaceArgumentError)
    return { code: 'INVALID_INPUT', message: error.message, trace_id: null };
  if (!(error instanceof MaceError)) return undefined;
  return { code: error.code, message: error.developerMessage, trace_id: error.traceId };
}
