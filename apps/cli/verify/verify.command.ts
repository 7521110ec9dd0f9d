import type { Command } from 'commander';
import { requireRegular } from '#files/regular-file.js';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { Progress } from '../terminal/progress.js';
import { signer } from './signer.js';
import { trustedKeys } from './trusted-keys.js';
import { verifyReflectiveLogs } from './verify-reflective-logs.js';
import { verifyEventLog } from './verify-event-log.js';
import { type FileVerification, verifyFile } from './verify-file.js';
import { kindOf } from './file-kind.js';
import { type MomentVerification, verifyMomentFile } from './verify-moment.js';
import { receiptText, type ReceiptVerification, verifyReceipt } from './verify-receipt.js';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the named files, and the bundles (.ndjson) and receipts (.json) of the named folders, in order. */
async function verifiableFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw couldNotCheck(`There is no file ${path}.`);
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const inside = await filesIn(path);
    if (inside.length === 0)
      throw couldNotCheck(`The folder ${path} holds no .ndjson file and no receipt.`);
    files.push(...inside);
  }
  return files;
}

/** A folder may also have other .json files, such as one with keys. Nobody has named its links, so none is followed. */
async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!/\.(?:nd)?json$/.test(name)) continue;
    const file = join(folder, name);
    requireRegular(file, await lstat(file));
    const isReceipt = name.endsWith('.json') && (await receiptText(file)) !== undefined;
    if (isReceipt || name.endsWith('.ndjson')) files.push(file);
  }
  return files;
}

interface VerifyOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly reflective?: boolean;
  readonly log?: boolean;
  readonly since?: string;
  readonly eventStore?: string;
  readonly decisions?: boolean;
  readonly key?: string;
  readonly ended?: boolean;
}

/** Says that a job's bundle does not contain the end of the job. Other streams that are exported have no end. */
const endless = (stream: string | null): string =>
  stream?.startsWith('job-') === false ? 'the stream never ends' : 'the job has no end';

/** `mace verify`: checks exported bundles and receipts without a service, or the signed logs or the event log of a service. */
export const addVerifyCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('verify')
      .summary('check exported bundles and receipts offline')
      .description(
        'Recomputes the hash chain and every decision of exported bundles, and names the first event that was edited, ' +
          'deleted, inserted or moved. It needs neither service nor network. With --key it also detects a bundle that ' +
          'was cut, or made anew, by anyone who does not have the service’s private key. A receipt is recognised by its ' +
          'content: the hash of its event is recomputed, and its signature is checked.',
      )
      .argument(
        '[file...]',
        'bundles and files of mace at (.ndjson), and receipts (.json), or folders of them',
      )
      .option(
        '--reflective',
        'check the service’s ReflectiveLogs against their signatures and the log instead',
      )
      .option('--log', 'check every event of the event log instead')
      .option('--decisions', 'with --log: also replay the decisions of every stream')
      .option('--event-store <url>', 'with --log: read this event store, without a service')
      .option(
        '--since <file>',
        'with --log: also find what was changed, cut or deleted since a checkpoint (see mace checkpoint)',
      )
      .option(
        '--key <file>',
        'accept only bundles, receipts and checkpoints signed by a key in this file: a JWK set, a JWK or a PEM',
      )
      .option('--ended', 'accept only bundles of jobs that have ended')
      .option('--json', 'print the findings as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  mace export --all --out bundles && mace verify bundles\n' +
          '  mace keys --out keys.json && mace verify bundles --key keys.json --ended\n' +
          '  mace verify receipt-0197….json --key keys.json\n' +
          '  mace verify --reflective\n  mace verify --log --decisions\n' +
          '  mace verify --log --since 2026-01-31.checkpoint --key keys.json --event-store "esdb://127.0.0.1:2113?tls=false"',
      ),
  ).action(async (paths: string[], options: VerifyOptions) => {
    const { json, reflective, log, eventStore, decisions, since, key, ended } = options;
    if (log) return verifyEventLog(options);
    if (eventStore !== undefined || since !== undefined || decisions)
      throw couldNotCheck('--event-store, --since and --decisions need --log.');
    if (reflective) return verifyReflectiveLogs(options);
    if (paths.length === 0)
      throw couldNotCheck('Name bundles or receipts to verify, or ask for --reflective or --log.');
    const keys = key === undefined ? undefined : await trustedKeys(key);
    const files = await verifiableFiles(paths);
    const progress = new Progress('Verifying', files.length);
    const bundles: FileVerification[] = [];
    const receipts: ReceiptVerification[] = [];
    const moments: MomentVerification[] = [];
    for (const file of files) {
      const text = await receiptText(file);
      if (text !== undefined) receipts.push(await verifyReceipt(file, text, keys));
      else if ((await kindOf(file)) === 'moment') moments.push(await verifyMomentFile(file, keys));
      else bundles.push(await verifyFile(file, { keys, ended }));
      progress.advance();
    }
    progress.finish();
    const found = { bundles, receipts, moments };
    if (json) printJson(found);
    else print(found);
    if (Object.values(found).some((some) => some.some(({ intact }) => !intact)))
      process.exitCode = EXIT.broken;
  });

interface Found {
  readonly bundles: readonly FileVerification[];
  readonly receipts: readonly ReceiptVerification[];
  readonly moments: readonly MomentVerification[];
}

function print({ bundles, receipts, moments }: Found): void {
  const { red } = coloursFor(process.stdout);
  for (const bundle of bundles) printBundle(bundle);
  for (const receipt of receipts) printReceipt(receipt);
  for (const moment of moments) printMoment(moment);
  const found = [...bundles, ...receipts, ...moments];
  const broken = found.filter(({ intact }) => !intact).length;
  const what =
    bundles.length === found.length
      ? 'bundle'
      : receipts.length === found.length
        ? 'receipt'
        : 'file';
  if (found.length > 1)
    console.log(
      `${counted(found.length - broken, what)} intact, ${broken === 0 ? 'none' : red(String(broken))} broken`,
    );
}

function printBundle(bundle: FileVerification): void {
  const { green, yellow, dim } = coloursFor(process.stdout);
  const { file, stream, events, head_hash, finding, ended } = bundle;
  if (finding !== null) return printBroken(file, finding.sentence);
  console.log(
    `${green('intact')}  ${shownText(stream ?? '')}  ${counted(events, 'event')}  head ${dim(head_hash ?? '')}`,
  );
  console.log(`        ${signerOf(bundle)}`);
  if (!ended)
    console.log(
      `        ${yellow('warning:')} ${endless(stream)}, so it may have later events than these`,
    );
}

function printReceipt({ file, event, proves, key_id, pinned, finding }: ReceiptVerification): void {
  const { green, dim } = coloursFor(process.stdout);
  if (finding !== null) return printBroken(file, finding.sentence);
  console.log(
    `${green('intact')}  ${shownText(event?.stream ?? '')}  receipt of ${shownText(proves ?? '')}  hash ${dim(event?.hash ?? '')}`,
  );
  console.log(`        ${signer({ key_id: key_id ?? '', pinned })}`);
}

function printMoment({ file, moment, events, key_id, pinned, finding }: MomentVerification): void {
  const { green, yellow, dim } = coloursFor(process.stdout);
  if (finding !== null || moment === null) return printBroken(file, finding?.sentence ?? '');
  const { at, position, hash, final, streams, left_out } = moment;
  const held = `${counted(streams, 'stream')}, ${counted(events, 'event')}`;
  console.log(`${green('intact')}  the log at ${at}: position ${position}, hash ${dim(hash)}`);
  console.log(`        ${held}, ${signer({ key_id: key_id ?? '', pinned })}`);
  if (!final)
    console.log(
      `        ${yellow('warning:')} nothing was recorded later yet, so the next event may belong to this time`,
    );
  if (left_out > 0)
    console.log(
      `        ${yellow('warning:')} ${counted(left_out, 'stream')} left out, hidden from whoever made the file`,
    );
}

function printBroken(file: string, sentence: string): void {
  const { red, bold } = coloursFor(process.stdout);
  console.log(`${red('BROKEN')}  ${file}\n        ${bold(sentence)}`);
}

function signerOf({ key_id, pinned }: FileVerification): string {
  if (key_id === null) return 'unsigned, as bundles of a release before signatures are';
  return signer({ key_id, pinned });
}
