import type { Command } from 'commander';
import type { KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { checkpointLines, type SignedCheckpoint } from '#checkpoints/checkpoint-file.js';
import type { MadeCheckpoint } from '#checkpoints/make-checkpoint.js';
import { EventStoreUnavailable } from '#event-store/event-store.js';
import type { IntegrityFinding } from '#event-store/log-check.js';
import { keptBundleKey } from '#platform/config/bundle-key.js';
import { dataDirOf } from '#platform/config/service-config.js';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { writeWholeFile } from '../files/whole-file.js';
import { namedEventStore } from '../service/event-store.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { findingLine } from '../verify/finding-line.js';

interface CheckpointOptions {
  readonly out: string;
  readonly eventStore?: string;
  readonly json?: boolean;
}

interface Written extends Pick<SignedCheckpoint, 'position' | 'events' | 'streams' | 'key_id'> {
  readonly file: string;
  readonly found: number;
  readonly findings: readonly IntegrityFinding[];
}

/** `mace checkpoint`: writes a signed statement of where every stream of the log ends (SPEC I6). */
export const addCheckpointCommand = (program: Command): Command =>
  program
    .command('checkpoint')
    .summary('sign where every stream of the log ends')
    .description(
      'Checks every event of the log, then writes the last event’s hash of every stream to a file, signed with the ' +
        'bundle key. Keep the file where nobody who can write to the log can reach it. A later ' +
        '`mace verify --log --since <file>` finds every stream that was changed, cut or deleted in the meantime, ' +
        'even if the whole log was written anew with valid hashes.',
    )
    .requiredOption('--out <file>', 'the file to write; it must not exist')
    .option(
      '--event-store <url>',
      'the event store to read (default: MACE_EVENTSTORE_URL, else the running embedded one)',
    )
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
The key is MACE_BUNDLE_KEY, or the bundle-key.pem in the data directory. The service may run meanwhile.
The exit code is 1 if events of the log are damaged; the file then describes the log as it is.

Example:
  mace checkpoint --out 2026-01-31.checkpoint
  mace verify --log --since 2026-01-31.checkpoint --key keys.json --event-store 'esdb://127.0.0.1:2113?tls=false'`,
    )
    .action(async ({ out, eventStore, json }: CheckpointOptions) => {
      const key = await bundleKey();
      if ((await stat(out).catch(() => undefined)) !== undefined)
        throw couldNotCheck(`${out} exists already; a checkpoint is never overwritten.`);
      const findings: IntegrityFinding[] = [];
      const made = await madeOf(eventStore, key, findings);
      if (made === undefined) throw couldNotCheck('The log is empty, so there is nothing to sign.');
      await writeWholeFile(out, checkpointLines(made.checkpoint, made.heads));
      const { position, events, streams, key_id } = made.checkpoint;
      const found = findings.length;
      const written = { file: out, position, events, streams, key_id, found, findings };
      if (json) printJson(written);
      else print(written);
      if (found > 0) process.exitCode = EXIT.broken;
    });

async function bundleKey(): Promise<KeyObject> {
  const dataDir = dataDirOf(process.env);
  const key = await keptBundleKey(process.env['MACE_BUNDLE_KEY'], dataDir);
  if (key !== undefined) return key;
  throw couldNotCheck(
    `${dataDir} has no bundle-key.pem: set MACE_DATA_DIR to the data directory of the service, or MACE_BUNDLE_KEY.`,
  );
}

async function madeOf(
  url: string | undefined,
  key: KeyObject,
  findings: IntegrityFinding[],
): Promise<MadeCheckpoint | undefined> {
  const store = await namedEventStore(url);
  // The rules are loaded only here, because importing them above would slow down every other command.
  const { makeCheckpoint } = await import('#checkpoints/make-checkpoint.js');
  const progress = new Progress('Checking events');
  try {
    return await makeCheckpoint(store, key, {
      onEvents: (events) => progress.advance(events),
      onFinding: (finding) => findings.push(finding),
    });
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw couldNotCheck(error.message);
    throw error;
  } finally {
    progress.finish();
    await store.close();
  }
}

function print({ file, position, events, streams, key_id, findings }: Written): void {
  const { green, red, yellow } = coloursFor(process.stdout);
  for (const finding of findings) console.log(findingLine(finding));
  console.log(
    `${green('signed')}  ${counted(streams, 'stream')} with ${counted(events, 'event')} up to position ${position}, in ${file}`,
  );
  console.log(`        signed by ${key_id}`);
  if (findings.length > 0)
    console.log(
      `        ${yellow('warning:')} the log has ${red(counted(findings.length, 'finding'))}, and the file describes the log as it is`,
    );
}
