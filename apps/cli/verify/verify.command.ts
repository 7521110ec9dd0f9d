import type { Command } from 'commander';
import { EXIT } from '../exit-code.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { linesOf } from '../files/lines.js';
import { bundleFiles } from './bundle-files.js';
import { type Verification, verifyBundle } from './verify-bundle.js';

type FileVerification = Verification & { readonly file: string };

/** `mace verify`: checks exported bundles without a service. */
export const addVerifyCommand = (program: Command): Command =>
  program
    .command('verify')
    .summary('check exported bundles offline')
    .description(
      'Recomputes the hash chain of exported bundles and names the first event that was changed, deleted,\n' +
        'inserted or moved. It needs neither service nor network. A chain that somebody has recomputed whole\n' +
        'is found only against a head hash that you kept elsewhere: it is printed here.',
    )
    .argument('<bundle...>', '.ndjson files, or folders of them')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  mace export --all --out bundles && mace verify bundles')
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      const files = await bundleFiles(paths);
      const progress = new Progress('Verifying', files.length);
      const found: FileVerification[] = [];
      for (const file of files) {
        found.push({ file, ...(await verifyBundle(linesOf(file))) });
        progress.advance();
      }
      progress.finish();
      if (json) printJson({ bundles: found });
      else report(found);
      if (found.some(({ intact }) => !intact)) process.exitCode = EXIT.broken;
    });

function report(found: readonly FileVerification[]): void {
  const { green, red, dim, bold } = coloursFor(process.stdout);
  for (const bundle of found) {
    if (bundle.intact) {
      const { stream, events, head_hash } = bundle;
      console.log(`${green('intact')}  ${stream}  ${counted(events, 'event')}  ${dim(head_hash)}`);
    } else {
      console.log(
        `${red('BROKEN')}  ${bundle.file}, line ${bundle.line}: ${bold(sentenceOf(bundle))}`,
      );
    }
  }
  const broken = found.filter(({ intact }) => !intact).length;
  if (found.length > 1)
    console.log(
      `${counted(found.length - broken, 'bundle')} intact, ${broken === 0 ? 'none' : red(String(broken))} broken`,
    );
}

/** `event 17 (wm_inserted): its hash does not match …` */
export function sentenceOf({ event, problem }: Extract<Verification, { intact: false }>): string {
  if (event === null) return problem;
  const type = event.type === null ? '' : ` (${event.type})`;
  return `event ${event.number}${type}: ${problem}`;
}
