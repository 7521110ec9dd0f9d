import { type Command, Option } from 'commander';
import type { ReplayReport } from '#client/jobs.js';
import { MaceError } from '#client/mace-error.js';
import type { MaceClient } from '#client/mace-client.js';
import { EXIT } from '../exit-code.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { eachJob, printFailed, selectedJobs } from '../service/each-job.js';
import { isIntegrityFailure } from '../service/integrity-failure.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';

interface ReplayOptions extends ServiceOptions {
  readonly all?: boolean;
  readonly mode: ReplayReport['mode'];
  readonly json?: boolean;
}

/** A report, or the refusal that stopped a strict replay. */
type Replayed = { readonly job_seed: string } & (
  | ReplayReport
  | {
      readonly identical: false;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly trace_id: string;
      };
    }
);

/** `mace replay`: asks the service to replay jobs and compare every decision. */
export const addReplayCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('replay')
      .summary('run every decision of a job again and compare')
      .description(
        'Applies the rules to the recorded inputs of jobs again and compares every event, id and ' +
          'timestamp with the record.',
      )
      .argument('[seed...]', 'the jobs')
      .option('--all', 'all jobs that the token may see')
      .addOption(
        new Option('--mode <mode>', 'audit reports differences; strict fails at the first one')
          .choices(['audit', 'strict'])
          .default('audit'),
      )
      .option('--json', 'print the reports as JSON')
      .addHelpText('after', '\nExamples:\n  mace replay my-job\n  mace replay --all --mode strict'),
  ).action(async (seeds: string[], options: ReplayOptions) => {
    const client = await connect(options, { sub: 'mace-replay', roles: ['auditor'] });
    const jobs = await selectedJobs(client, seeds, options.all);
    const { done: replayed, failed } = await eachJob(jobs, 'Replaying', (seed) =>
      replay(client, seed, options.mode),
    );
    if (options.json) printJson({ jobs: replayed, not_checked: failed });
    else print(replayed);
    printFailed(failed, 'could not be replayed');
    if (replayed.some(({ identical }) => !identical)) process.exitCode = EXIT.broken;
  });

async function replay(
  client: MaceClient,
  seed: string,
  mode: ReplayReport['mode'],
): Promise<Replayed> {
  try {
    return { job_seed: seed, ...(await client.job(seed).replay(mode)) };
  } catch (error) {
    if (!(error instanceof MaceError) || !isIntegrityFailure(error)) throw error;
    const { code, developerMessage: message, traceId: trace_id } = error;
    return { job_seed: seed, identical: false, error: { code, message, trace_id } };
  }
}

function print(replayed: readonly Replayed[]): void {
  const { green, red, dim } = coloursFor(process.stdout);
  let events = 0;
  for (const report of replayed) {
    if ('error' in report) {
      const { code, message, trace_id } = report.error;
      console.log(
        `${red('BROKEN')}     ${report.job_seed}  ${code}: ${message} (trace ${trace_id})`,
      );
      continue;
    }
    events += report.events_checked;
    const checked = counted(report.events_checked, 'event');
    if (report.identical) {
      console.log(
        `${green('identical')}  ${report.job_seed}  ${checked}  ${dim(report.content_hash)}`,
      );
    } else {
      console.log(`${red('DIVERGED')}   ${report.job_seed}  ${checked}`);
      console.log(divergenceOf(report));
    }
  }
  const broken = replayed.filter(({ identical }) => !identical).length;
  if (replayed.length > 1)
    console.log(
      `${counted(replayed.length - broken, 'job')} identical, ${broken === 0 ? 'none' : red(String(broken))} broken, ${counted(events, 'event')} checked`,
    );
}

function divergenceOf({ divergence }: ReplayReport): string {
  if (divergence === undefined) return '  the chain of its events is broken';
  const { number, expected, actual } = divergence;
  return `  at event ${number}\n    expected ${JSON.stringify(expected)}\n    actual   ${JSON.stringify(actual)}`;
}
