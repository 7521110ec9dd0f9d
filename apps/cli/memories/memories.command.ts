import type { Command } from 'commander';
import type { Kept, Recall } from '#client/memories.js';
import { oneLine } from '#domain/memories/recalled-text.js';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { momentOf } from '../terminal/moment.js';
import { counted, printJson } from '../terminal/output.js';
import { shownText } from '../terminal/shown-text.js';
import { wholeNumberTo } from '../terminal/whole-number.js';

interface MemoriesOptions extends ServiceOptions {
  readonly user?: string;
  readonly json?: boolean;
}

const MAX_RECALLED = 100;

/** Without a token, the commands act as an agent of this name. */
const AGENT = { sub: 'mace', roles: ['agent'] } as const;

const memoriesCommand = (command: Command): Command =>
  withServiceOptions(
    command.option('--user <id>', 'the person (default: the token’s user, else the agent itself)'),
  ).option('--json', 'print the answer as JSON');

const personOf = ({ user }: MemoriesOptions) => (user === undefined ? {} : { user_id: user });

/** `mace remember`: keeps a text about a person, or what lasts of what the person said. */
export const addRememberCommand = (program: Command): Command =>
  memoriesCommand(
    program
      .command('remember')
      .summary('remember a text about a person')
      .description(
        'Keeps a text about a person until it is forgotten, sealed under the person’s key. With --said, it keeps of what ' +
          'the person said only what lasts: statements about themselves, standing instructions, what they ask to remember.',
      )
      .argument('<words...>', 'the text')
      .option('--said', 'keep what lasts of these words')
      .option(
        '--tag <tag>',
        'a word by which a recall or a list may choose; may be repeated',
        collected,
      )
      .addHelpText(
        'after',
        '\nExamples:\n  mace remember --user ada Prefers trains to planes\n' +
          '  mace remember --user ada --said "I am allergic to peanuts. What is for dinner?"',
      ),
  ).action(
    async (words: string[], options: MemoriesOptions & { said?: boolean; tag?: string[] }) => {
      const client = await connect(options, AGENT);
      const text = words.join(' ');
      const answer = await client.remember({
        ...(options.said ? { said: text } : { text }),
        ...(options.tag && { tags: options.tag }),
        ...personOf(options),
      });
      if (options.json) printJson(answer);
      else printKept(answer);
    },
  );

const collected = (tag: string, before: readonly string[] = []): string[] => [...before, tag];

function printKept({ kept, not_kept }: Kept): void {
  const { dim } = coloursFor(process.stdout);
  const lines = [
    ...kept.map(
      ({ id, text, existed }) =>
        `${existed ? 'Remembered before' : 'Remembered'}: ${oneLine(text)}\n${dim(`  ${id}`)}`,
    ),
    ...not_kept.map(
      ({ text, reason }) => `Not kept (${reason.replaceAll('_', ' ')}): ${oneLine(text)}`,
    ),
  ];
  process.stdout.write(`${lines.length === 0 ? 'There was nothing to keep.' : lines.join('\n')}\n`);
}

/** `mace recall`: shows what is remembered about a person. */
export const addRecallCommand = (program: Command): Command =>
  memoriesCommand(
    program
      .command('recall')
      .summary('show what is remembered about a person')
      .description(
        'Shows what a query finds among what is remembered about a person, best first, then the newest.',
      )
      .argument('[words...]', 'the query (default: the newest)')
      .option('--limit <n>', 'the number of memories', wholeNumberTo(MAX_RECALLED), 10)
      .option('--shared', 'public facts and episodes as well')
      .option(
        '--at <time>',
        'what was remembered at this time, such as 2026-11-25T10:32Z',
        momentOf,
      )
      .addHelpText('after', '\nExample:\n  mace recall --user ada what can she eat'),
  ).action(
    async (
      words: string[],
      options: MemoriesOptions & { limit: number; shared?: boolean; at?: string },
    ) => {
      const client = await connect(options, AGENT);
      const answer = await client.recall({
        ...(words.length > 0 && { query: words.join(' ') }),
        ...(options.shared && { shared: true }),
        ...(options.at && { at: options.at }),
        limit: options.limit,
        ...personOf(options),
      });
      if (options.json) printJson(answer);
      else printRecalled(answer);
    },
  );

function printRecalled({ recalled }: Recall): void {
  const { dim } = coloursFor(process.stdout);
  const lines = recalled.map(
    ({ line, kind, id }) => `${shownText(line)}\n${dim(`  ${kind} ${shownText(id)}`)}`,
  );
  process.stdout.write(`${lines.length === 0 ? 'Nothing is remembered.' : lines.join('\n')}\n`);
}

/** `mace forget`: hides a memory. */
export const addForgetCommand = (program: Command): Command =>
  memoriesCommand(
    program
      .command('forget')
      .summary('forget a memory')
      .description(
        'Forgets a memory: no recall and no list shows it any more. Only an erasure of the person destroys what the log ' +
          'has of it.',
      )
      .argument('[id]', 'the id of the memory, as recall shows it')
      .option('--all', 'forget every memory of the person')
      .addHelpText('after', '\nExample:\n  mace forget mem:6f1c… --user ada'),
  ).action(async (id: string | undefined, options: MemoriesOptions & { all?: boolean }) => {
    if ((id === undefined) === (options.all !== true))
      throw couldNotCheck('Name one memory by its id, or all of the person with --all.');
    const client = await connect(options, AGENT);
    if (id === undefined) {
      const forgotten = await client.memories.forgetAll(personOf(options));
      if (options.json) printJson({ forgotten });
      else process.stdout.write(`Forgot ${counted(forgotten, 'memory', 'memories')}.\n`);
      return;
    }
    const forgotten = await client.forget(id, personOf(options));
    if (options.json) printJson({ id, forgotten });
    else process.stdout.write(forgotten ? 'Forgotten.\n' : 'There is no such memory.\n');
    if (!forgotten) process.exitCode = EXIT.broken;
  });
