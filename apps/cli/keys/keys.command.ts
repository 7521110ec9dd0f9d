import type { Command } from 'commander';
import { stat } from 'node:fs/promises';
import { couldNotCheck } from '../exit-code.js';
import { writeWholeFile } from '../files/whole-file.js';
import { publicClient, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { counted, printJson } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';

interface KeysOptions extends ServiceOptions {
  readonly out?: string;
}

/** `mace keys`: writes the public keys of a service's signatures to a file, for `mace verify --key`. */
export const addKeysCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('keys')
      .summary('write the public keys of the service’s signatures to a file')
      .description(
        'Shows the ids of the public keys by which the service signs bundles, receipts and checkpoints, the present one ' +
          'first, and with --out writes them to a file for mace verify --key. They are public, so no token is needed. Fetch ' +
          'them on a way that you trust, and keep the file where nobody who can write to the log can change it.',
      )
      .option('--out <file>', 'the file to write; it must not exist')
      .option('--json', 'print the keys as JSON')
      .addHelpText(
        'after',
        '\nExample:\n  mace keys --out keys.json && mace verify bundles --key keys.json',
      ),
  ).action(async (options: KeysOptions) => {
    const { out, json } = options;
    if (out !== undefined && (await stat(out).catch(() => undefined)) !== undefined)
      throw couldNotCheck(`${out} exists already; trusted keys are never overwritten.`);
    const set = await publicClient(options).integrity.keys();
    if (out !== undefined) await writeWholeFile(out, [JSON.stringify(set, null, 2)]);
    if (json) return printJson({ ...set, file: out ?? null });
    for (const { kid } of set.keys) console.log(shownText(kid));
    if (out !== undefined)
      console.log(
        `${counted(set.keys.length, 'key')} written to ${out}: mace verify … --key ${out}`,
      );
  });
