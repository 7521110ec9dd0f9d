import type { Command } from 'commander';
import type { WaitingWrite } from '#client/admin.js';
import type { MaceClient } from '#client/mace-client.js';
import { MaceError } from '#client/mace-error.js';
import { pagesOf } from '#client/pages.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';

interface QueueOptions extends ServiceOptions {
  readonly json?: boolean;
}

const PAGE = 500;

/** `mace queue`: shows and retries writes that were refused because the event store was full. */
export function addQueueCommand(program: Command): void {
  const command = program
    .command('queue')
    .summary('see and retry writes that a full event store refused')
    .description(
      'Writes that were refused because the event store was full (STORAGE_FULL) wait in a queue. When there is ' +
        'room again, the service itself repeats those that came with an Idempotency-Key. The others wait for a person, ' +
        'because their caller may have sent them again.',
    )
    .addHelpText(
      'after',
      `
Examples:
  mace queue list --json
  mace queue retry 1b671a64-40d5-491e-99b0-da01ff1f3341`,
    );
  addListCommand(command);
  addRetryCommand(command);
}

const addListCommand = (queue: Command): Command =>
  withServiceOptions(
    queue
      .command('list')
      .summary('show the waiting writes, oldest first')
      .description(
        'Shows the waiting writes in the order of their refusal: id, what each waits for, command, stream, time and ' +
          'the code of the last attempt. What would be written is sealed, and never shown.',
      )
      .option('--json', 'print the writes as JSON')
      .addHelpText('after', '\nExample:\n  mace queue list'),
  ).action(async (options: QueueOptions) => {
    const entries = await waitingWrites(await connectAsAdmin(options));
    if (options.json) return printJson({ entries });
    if (entries.length === 0) return console.log('No write waits.');
    for (const entry of entries) console.log(lineOf(entry));
    const persons = entries.filter(({ waits_for }) => waits_for === 'person').length;
    console.log(
      `${counted(entries.length, 'write')}: ${persons} for a person, ${entries.length - persons} for room.`,
    );
  });

const addRetryCommand = (queue: Command): Command =>
  withServiceOptions(
    queue
      .command('retry')
      .summary('send a waiting write again')
      .description(
        'Sends a waiting write again as its caller, with its command id and its time of receipt, so that it is written ' +
          'once. If a rule now refuses it, it leaves the queue, and the command exits with code 1. If the ' +
          'event store is still full, it stays, and the command exits with code 2.',
      )
      .argument('<id>', 'the id in mace queue list')
      .option('--json', 'print the outcome as JSON')
      .addHelpText('after', '\nExample:\n  mace queue retry 1b671a64-40d5-491e-99b0-da01ff1f3341'),
  ).action(async (id: string, options: QueueOptions) => {
    const client = await connectAsAdmin(options);
    const isWaiting = async () => (await waitingWrites(client)).some((entry) => entry.id === id);
    const wasWaiting = await isWaiting();
    try {
      const outcome = await client.admin.queue.retry(id);
      if (options.json) printJson(outcome);
      else console.log(`${coloursFor(process.stdout).green('Written')}  ${id}`);
    } catch (error) {
      if (!(error instanceof MaceError) || !wasWaiting || (await isWaiting())) throw error;
      throw new CommandFailure(
        EXIT.broken,
        `${error.userMessage}\n${error.code}: ${error.developerMessage}\nThe write can no longer be done, and has left the queue.`,
      );
    }
  });

const connectAsAdmin = (options: ServiceOptions): Promise<MaceClient> =>
  connect(options, { sub: 'mace-queue', roles: ['admin'] });

async function waitingWrites({ admin }: MaceClient): Promise<readonly WaitingWrite[]> {
  const entries: WaitingWrite[] = [];
  for await (const page of pagesOf((next) => admin.queue.list({ limit: PAGE, ...next })))
    entries.push(...page.entries);
  return entries;
}

function lineOf({ id, verified, waits_for, command, stream, refused_at, last_code }: WaitingWrite) {
  const waits = `waits for ${waits_for.padEnd(6)}`;
  if (!verified)
    return `${id}  ${waits}  ${last_code}  ${coloursFor(process.stdout).red('changed in Postgres, or sealed with another key')}`;
  return `${id}  ${waits}  ${refused_at ?? ''}  ${last_code}  ${command ?? ''} ${stream ?? ''}`;
}
