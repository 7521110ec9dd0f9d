import type { Command } from 'commander';
import { resolve } from 'node:path';
import { dataDirOf } from '#platform/config/service-config.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import { coloursFor } from '../terminal/colour.js';
import { interruptible } from '../terminal/interruptible.js';
import { counted, duration, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import type { BackUpReport } from './back-up.js';

/** `mace backup`: backs up the data directory of a service with an embedded event store. */
export const addBackupCommand = (program: Command): Command =>
  program
    .command('backup')
    .summary('back up the data dir while the service runs')
    .description(
      'Writes a consistent backup of MACE_DATA_DIR (.mace) into a new folder: the whole event log up to a position ' +
        'that it prints, all keys and secrets, those of personal data included, the artifacts, and the queue of refused writes. The service may run ' +
        'meanwhile, and keeps serving. Read models are not in the backup: a service that starts on restored data ' +
        'rebuilds them from the log.',
    )
    .requiredOption('--out <dir>', 'the folder to write; it must be empty or not exist')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
The backup holds the keys of the installation, so protect it like the data directory. Keys that the service gets
from its environment (MACE_…_KEY) and artifacts in an S3 store (MACE_ARTIFACTS_URL) are not in it.
The exit code is 1 if artifacts are damaged; they are then in the backup as they are.

Example:
  mace backup --out /backups/2026-01-31
  mace restore /backups/2026-01-31 --data-dir /var/lib/mace`,
    )
    .action(async ({ out, json }: { readonly out: string; readonly json?: boolean }) => {
      const began = Date.now();
      if (process.env['MACE_EVENTSTORE_URL'])
        throw new CommandFailure(
          EXIT.wrongSetting,
          'mace backup is for the embedded event store, and MACE_EVENTSTORE_URL names a server of your own: docs/backups.md tells how to back up EventStoreDB and Postgres.',
        );
      const folder = resolve(out);
      const report = await interruptible((signal) => backedUp(folder, signal));
      const took = Date.now() - began;
      if (json) printJson({ out: folder, ...summaryOf(report), duration_ms: took });
      else print(folder, report, took);
      if (report.damagedArtifacts.length > 0) process.exitCode = EXIT.broken;
    });

async function backedUp(out: string, signal: AbortSignal): Promise<BackUpReport> {
  // The database is loaded only here, because importing it above would slow down every other command.
  const { backUp } = await import('./back-up.js');
  const events = new Progress('Copying events');
  const artifacts = new Progress('Copying artifacts');
  try {
    return await backUp({
      dataDir: dataDirOf(process.env),
      out,
      postgresUrl: process.env['MACE_POSTGRES_URL'] || undefined,
      signal,
      onEnd: (count) => events.expectMore(count),
      onEvents: (count) => events.advance(count),
      onArtifact: () => artifacts.advance(),
    });
  } finally {
    events.finish();
    artifacts.finish();
  }
}

function summaryOf({ manifest, damagedArtifacts, leftOut }: BackUpReport) {
  const { files, kind: _, version: __, ...summary } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    ...{ ...summary, files: files.length, bytes },
    ...{ damaged_artifacts: damagedArtifacts, left_out: leftOut },
  };
}

function print(out: string, report: BackUpReport, took: number): void {
  const { green, red, yellow } = coloursFor(process.stdout);
  const { manifest, damagedArtifacts, leftOut } = report;
  const { position, events, artifacts, queued_writes, keys, log_id } = manifest;
  const megabytes = (summaryOf(report).bytes / 1e6).toFixed(1);
  const say = (line: string): void => console.log(`           ${line}`);
  console.log(
    `${green('backed up')}  ${counted(events, 'event')} up to position ${position}, ${counted(artifacts, 'artifact')} and ${counted(queued_writes, 'refused write')}, in ${out} (${megabytes} MB, ${duration(took)})`,
  );
  say(`log ${log_id ?? 'without an id'}, last event ${manifest.last_event_id}`);
  say(`${yellow('keys:')} the backup holds ${keys.join(', ')}; protect it like the data directory`);
  if (process.env['MACE_ARTIFACTS_URL'])
    say('artifacts in MACE_ARTIFACTS_URL are not in the backup');
  say('read models are not in the backup; they are rebuilt from the log');
  for (const name of leftOut)
    say(`${yellow('not in the backup:')} ${name}, which the service did not make`);
  for (const path of damagedArtifacts) say(`${red('damaged:')} ${path}, in the data directory too`);
}
