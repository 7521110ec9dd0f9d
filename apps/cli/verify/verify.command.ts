import type { Command } from 'commander';
import { EXIT } from '../exit-code.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { bundleFiles } from './bundle-files.js';
import { type FileVerification, verifyFile } from './verify-file.js';

/** `mace verify`: checks exported bundles without a service. */
export const addVerifyCommand = (program: Command): Command =>
  program
    .command('verify')
    .summary('check exported bundles offline')
    .description(
      'Recomputes the hash chain and every decision of exported bundles, and names the first event that was edited, ' +
        'deleted, inserted or moved. It needs neither service nor network. Against somebody who recomputes a ' +
        'whole chain it takes a head hash that you kept elsewhere: it is printed here.',
    )
    .argument('<bundle...>', '.ndjson files, or folders of them')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  mace export --all --out bundles && mace verify bundles')
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      const files = await bundleFiles(paths);
      const progress = new Progress('Verifying', files.length);
      const found: FileVerification[] = [];
      for (const file of files) {
        found.push(await verifyFile(file));
        progress.advance();
      }
      progress.finish();
      if (json) printJson({ bundles: found });
      else print(found);
      if (found.some(({ intact }) => !intact)) process.exitCode = EXIT.broken;
    });

function print(found: readonly FileVerification[]): void {
  const { green, red, dim, bold } = coloursFor(process.stdout);
  for (const { file, stream, events, head_hash, finding } of found) {
    if (finding === null)
      console.log(
        `${green('intact')}  ${stream}  ${counted(events, 'event')}  head ${dim(head_hash ?? '')}`,
      );
    else console.log(`${red('BROKEN')}  ${file}\n        ${bold(finding.sentence)}`);
  }
  const broken = found.filter(({ intact }) => !intact).length;
  if (found.length > 1)
    console.log(
      `${counted(found.length - broken, 'bundle')} intact, ${broken === 0 ? 'none' : red(String(broken))} broken`,
    );
}
