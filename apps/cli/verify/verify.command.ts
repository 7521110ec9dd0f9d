import type { Command } from 'commander';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { bundleFiles } from './bundle-files.js';
import { verifyReflectiveLogs } from './verify-reflective-logs.js';
import { type FileVerification, verifyFile } from './verify-file.js';

interface VerifyOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly reflective?: boolean;
}

/** `mace verify`: checks exported bundles without a service, or the signed logs of a service. */
export const addVerifyCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('verify')
      .summary('check exported bundles offline')
      .description(
        'Recomputes the hash chain and every decision of exported bundles, and names the first event that was edited, ' +
          'deleted, inserted or moved. It needs neither service nor network. A recomputed chain is detected ' +
          'only by comparing the printed head hash with one that you kept elsewhere.',
      )
      .argument('[bundle...]', '.ndjson files, or folders of them')
      .option(
        '--reflective',
        'check the service’s ReflectiveLogs against their signatures and the log instead',
      )
      .option('--json', 'print the findings as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  mace export --all --out bundles && mace verify bundles\n  mace verify --reflective',
      ),
  ).action(async (paths: string[], options: VerifyOptions) => {
    const { json, reflective } = options;
    if (reflective) return verifyReflectiveLogs(options);
    if (paths.length === 0) throw couldNotCheck('Name bundles to verify, or ask for --reflective.');
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
