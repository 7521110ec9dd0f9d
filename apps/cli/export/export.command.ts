import type { Command } from 'commander';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MaceClient } from '#client/mace-client.js';
import { couldNotCheck } from '../exit-code.js';
import { writeWholeFile } from '../files/whole-file.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { eachJob, printFailed, selectedJobs } from '../service/each-job.js';
import { counted, printJson } from '../terminal/output.js';

interface ExportOptions extends ServiceOptions {
  readonly all?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

interface Exported {
  readonly job_seed: string;
  readonly file: string;
  readonly events: number;
}

/** `mace export`: writes each job's bundle to a folder, for `mace verify`. */
export const addExportCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('export')
      .summary('write jobs as bundles that can be verified offline')
      .description(
        'Writes one file for each job, <seed>.ndjson: a header with stream, count and last hash, then every ' +
          'event. A file is written completely or not at all.',
      )
      .argument('[seed...]', 'the jobs')
      .option('--all', 'all jobs that the token may see')
      .requiredOption('--out <dir>', 'the folder to write to; it is created if missing')
      .option('--json', 'print what was written as JSON')
      .addHelpText('after', '\nExample:\n  mace export --all --out bundles && mace verify bundles'),
  ).action(async (seeds: string[], options: ExportOptions) => {
    const client = await connect(options, { sub: 'mace-export', roles: ['auditor'] });
    const jobs = await selectedJobs(client, seeds, options.all);
    const made = await mkdir(options.out, { recursive: true }).catch((error: Error) => {
      throw couldNotCheck(`The folder ${options.out} cannot be made: ${error.message}.`);
    });
    const { done: written, failed } = await eachJob(jobs, 'Exporting', (seed) =>
      exportJob(client, seed, options.out),
    ).finally(async () => {
      // A folder that was made for nothing is empty, and goes.
      if (made !== undefined) await rmdir(options.out).catch(() => undefined);
    });
    printFailed(failed, 'could not be exported');
    if (options.json) return printJson({ bundles: written, not_exported: failed });
    const events = written.reduce((sum, bundle) => sum + bundle.events, 0);
    console.log(
      `${counted(written.length, 'bundle')} with ${counted(events, 'event')} written to ${options.out}`,
    );
  });

export async function exportJob(client: MaceClient, seed: string, out: string): Promise<Exported> {
  const file = join(out, `${seed}.ndjson`);
  const lines = await writeWholeFile(file, client.job(seed).bundle());
  return { job_seed: seed, file, events: lines - 1 };
}
