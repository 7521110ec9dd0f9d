import { privacyRules } from '#platform/config/service-config.js';
import { ownUserId } from '#domain/ownership/access.js';
import { type Command, Option } from 'commander';
import { stat } from 'node:fs/promises';
import { requireRegular } from '#files/regular-file.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import {
  connect,
  givenClaims,
  type ServiceOptions,
  withServiceOptions,
} from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, duration, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { wholeNumberTo } from '../terminal/whole-number.js';
import { STDIN, withStdinAsFile } from './stdin-file.js';
import { importFile, type ImportSummary, isBlank, recordingLines } from './import-file.js';

interface ImportOptions extends ServiceOptions {
  readonly format: 'openai-chat';
  readonly concurrency: number;
  readonly changes: readonly string[];
  readonly json?: boolean;
}

const MAX_AT_A_TIME = 64;

/** `mace import`: sends recorded runs to the service, as a runtime would have sent them. */
export const addImportCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('import')
      .summary('drive the memory with recorded agent runs')
      .description(
        'Reads one recorded run per line: {"job_seed": …, "messages": […]}, the messages in the OpenAI chat ' +
          'format. Other plain fields, such as task_id, go into the payload of the run’s episodes.\n\n' +
          'Each run becomes a job: a tick per message; a working-memory entry for every statement of the user ' +
          'and every top-level field of a tool’s answer; a reference whenever a later message or tool call ' +
          'repeats a value that an entry holds; an episode for every tool call that changes something; the ' +
          'end after the last message. Values over 16 KB are cut into their fields.\n\n' +
          'The texts of assistants and of the system only show what is referenced. A run that cannot be recorded is ' +
          'named by its line, and the others go on; the last lines count what was left out of recorded runs. The exit code is 1 if a run was not recorded.\n\n' +
          'An import can be stopped at any time and started again, and done twice: nothing is written twice.',
      )
      .argument('<file.jsonl>', 'the recordings; - reads the standard input')
      .addOption(
        new Option('--format <format>', 'how a line is written')
          .choices(['openai-chat'])
          .default('openai-chat'),
      )
      .option(
        '--concurrency <n>',
        'the number of runs to send at a time',
        wholeNumberTo(MAX_AT_A_TIME),
        8,
      )
      .option('--changes <prefix...>', 'prefixes of tool names that change something', [
        'book_',
        'update_',
        'cancel_',
        'send_',
      ])
      .option('--json', 'print the summary as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  mace import runs.jsonl\n  mace import runs.jsonl --changes create_ delete_ pay_\n' +
          '  zcat runs.jsonl.gz | mace import -',
      ),
  ).action((path: string, options: ImportOptions) =>
    path === STDIN
      ? withStdinAsFile((file) => importRecordings(file, options, 'The standard input'))
      : importRecordings(path, options),
  );

/** @param name how messages name the recordings */
async function importRecordings(path: string, options: ImportOptions, name = path): Promise<void> {
  const total = await countLines(path, name);
  const client = await connect(options, { sub: 'mace-import', roles: ['agent'] });
  const progress = new Progress('Importing', total);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop);
  const began = Date.now();
  try {
    const summary = await importFile(client, path, {
      changingPrefixes: options.changes,
      user: userOf(options),
      rules: privacyRules(process.env),
      concurrency: options.concurrency,
      signal: interrupt.signal,
      onLine: ({ events }) => progress.advance(1, counted(events, 'event')),
    });
    progress.finish();
    const took = Date.now() - began;
    if (options.json) printJson({ ...summary, duration_ms: took });
    else print(summary, took);
    if (summary.failed.length > 0) process.exitCode = EXIT.broken;
  } catch (error) {
    progress.finish();
    const goOn = 'Give the same command again to go on where it stopped.';
    if (interrupt.signal.aborted) throw new CommandFailure(EXIT.interrupted, `Stopped. ${goOn}`);
    process.stderr.write(`The import stopped. ${goOn}\n`);
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}

/** Returns the user of the given token; null if it has none, or if the token is minted here. */
function userOf(options: ImportOptions): string | null {
  const claims = givenClaims(options);
  if (claims === undefined) return null;
  const { sub = '', roles = [], user_id } = claims;
  return ownUserId({ sub, roles, ...(user_id === undefined ? {} : { user_id }) }) ?? null;
}

async function countLines(path: string, name: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw couldNotCheck(`There is no file ${path}.`);
  // An import reads its file twice, so a pipe that the shell has opened will not do either.
  requireRegular(path, found);
  let lines = 0;
  for await (const line of recordingLines(path)) if (!isBlank(line)) lines += 1;
  if (lines === 0) throw couldNotCheck(`${name} is empty.`);
  return lines;
}

function print(summary: ImportSummary, took: number): void {
  const { green, red, yellow } = coloursFor(process.stdout);
  const { runs, already_there, events, references, promotions, episodes, failed } = summary;
  console.log(
    `${green('Imported')} ${counted(runs, 'run')} in ${duration(took)}: ${counted(events, 'event')}, ` +
      `${counted(references, 'reference')}, ${counted(promotions, 'promotion')}, ` +
      `${counted(episodes, 'episode')} of changes.`,
  );
  if (already_there > 0)
    console.log(`Already there, with nothing added: ${counted(already_there, 'run')}.`);
  for (const { line, job_seed, reason } of failed)
    console.log(
      `${red('Refused')}  line ${line}${job_seed === null ? '' : ` (${job_seed})`}: ${reason}`,
    );
  for (const [reason, times] of Object.entries(summary.skipped).sort())
    console.log(
      `${yellow('Left out')} ${times} × ${reason} (${linesOf(summary.skipped_lines[reason] ?? [])})`,
    );
  if (failed.length > 0)
    console.log(
      `${counted(failed.length, 'line was', 'lines were')} not imported, so the exit code is ${EXIT.broken}. ` +
        'Mend them, and give the same command again: it adds what is missing.',
    );
  if (failed.some(({ error_code }) => error_code === 'INVALID_INPUT'))
    process.stderr.write(`${ERROR_TABLE.INVALID_INPUT.user_message}\n`);
}

const MAX_NAMED_LINES = 10;

/** Names lines by their numbers, such as `lines 3, 7`; of many, the first ten. */
function linesOf(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED_LINES).join(', ');
  const more = lines.length > MAX_NAMED_LINES ? ' …' : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more}`;
}
