import type { Command } from 'commander';
import { resolve } from 'node:path';
import { coloursFor } from '../terminal/colour.js';
import { interruptible } from '../terminal/interruptible.js';
import { counted, duration, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import type { RestoreReport } from './restore-data.js';

interface RestoreOptions {
  readonly dataDir: string;
  readonly skipUnknown?: boolean;
  readonly json?: boolean;
}

/** `mace restore`: writes a new data directory from a backup. */
export const addRestoreCommand = (program: Command): Command =>
  program
    .command('restore')
    .summary('write a new data dir from a backup')
    .description(
      'Checks every file of a backup that mace backup has written, and then writes a new data directory from it. ' +
        'The service that starts there rebuilds the read models from the log. In a Postgres of your own ' +
        '(MACE_POSTGRES_URL), it compares the rows that are there with the log, and replaces them.',
    )
    .argument('<dir>', 'the folder of the backup')
    .requiredOption(
      '--data-dir <dir>',
      'the data directory to write; it must be empty or not exist',
    )
    .option(
      '--skip-unknown',
      'leave out files that mace backup does not write, and name each; a backup of an earlier release has the other files of its data directory',
    )
    .option('--json', 'print what was restored as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 3 the backup is damaged or incomplete, 4 the data directory is not empty. In both cases nothing is
written. After a restore that was killed, no service starts on the data directory; give the same command again.

Example:
  mace restore /backups/2026-01-31 --data-dir /var/lib/mace
  MACE_DATA_DIR=/var/lib/mace npm start`,
    )
    .action(async (dir: string, options: RestoreOptions) => {
      const { dataDir, json } = options;
      const began = Date.now();
      const target = resolve(dataDir);
      const report = await interruptible((signal) =>
        restored(resolve(dir), target, options, signal),
      );
      await compareRows(process.env['MACE_POSTGRES_URL']);
      const took = Date.now() - began;
      const { files, kind: _, version: __, ...summary } = report.manifest;
      const left_out = report.leftOut;
      if (json)
        printJson({
          data_dir: target,
          ...summary,
          files: files.length,
          left_out,
          duration_ms: took,
        });
      else print(target, report, took);
    });

async function restored(
  from: string,
  dataDir: string,
  { skipUnknown = false }: RestoreOptions,
  signal: AbortSignal,
): Promise<RestoreReport> {
  // The code for the servers' folders is loaded only here, because it would slow down every other command.
  const { restore } = await import('./restore-data.js');
  const checking = new Progress('Checking bytes');
  const copying = new Progress('Copying bytes');
  try {
    return await restore({
      from,
      dataDir,
      skipUnknown,
      signal,
      onSize: (bytes) => {
        checking.expectMore(bytes);
        copying.expectMore(bytes);
      },
      onChecked: (bytes) => checking.advance(bytes),
      onCopied: (bytes) => copying.advance(bytes),
    });
  } finally {
    checking.finish();
    copying.finish();
  }
}

/** Lets the next service compare the rows of a Postgres of the user's own with the restored log, and replace them. */
async function compareRows(url: string | undefined): Promise<void> {
  if (!url) return;
  const { Postgres } = await import('#read-model/postgres.js');
  const { requestAllRebuilds } = await import('#read-model/projection-records.js');
  const postgres = new Postgres({ url, maxConnections: 1 });
  try {
    await requestAllRebuilds(postgres);
  } catch {
    process.stderr.write(
      'The rows in MACE_POSTGRES_URL could not be reached. Run mace rebuild for each read model once the service has started.\n',
    );
  } finally {
    await postgres.close();
  }
}

function print(dataDir: string, { manifest, leftOut }: RestoreReport, took: number): void {
  const { green, yellow } = coloursFor(process.stdout);
  const { created_at, events, position, artifacts, queued_writes, keys } = manifest;
  const say = (line: string): void => console.log(`          ${line}`);
  console.log(
    `${green('restored')}  ${counted(events, 'event')} up to position ${position}, ${counted(artifacts, 'artifact')} and ${counted(queued_writes, 'refused write')}, in ${dataDir} (${duration(took)})`,
  );
  say(`as they were at ${created_at}; later writes are not in it`);
  for (const path of leftOut) say(`${yellow('left out:')} ${path}`);
  if (!keys.includes('keys.json'))
    say(
      `${yellow('keys:')} the backup has no keys.json, so set MACE_SIGNING_KEY, MACE_SEALING_KEY and MACE_JWT_SECRET to the keys of this installation`,
    );
  console.log(`
Next:
  MACE_DATA_DIR=${dataDir} npm start
      starts the service there; it rebuilds the read models from the log
  mace verify --log
      checks every event; with --since <checkpoint> it names the streams that lost events
/health/ready answers 503 until the read models show the whole log.`);
}
