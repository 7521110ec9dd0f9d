import type { Command } from 'commander';
import { AmbiguousAppend, DamagedEvent, EventStoreUnavailable } from '#event-store/event-store.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { openEventStore } from '../service/event-store.js';
import { counted, duration, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { copyLog, type CopyReport } from './copy-log.js';

interface CopyLogOptions {
  readonly from: string;
  readonly to: string;
  readonly skipDamaged?: boolean;
  readonly json?: boolean;
}

/** `mace copy-log`: moves an installation to another event store. */
export const addCopyLogCommand = (program: Command): Command =>
  program
    .command('copy-log')
    .summary('copy the whole log to another event store')
    .description(
      'Copies every event in log order, with the same ids and numbers, then reads both logs and ' +
        'compares them. The target must be empty or hold the beginning of such a copy, which the command ' +
        'continues. Stop the service first: events written during the copy may be missing.',
    )
    .requiredOption('--from <url>', 'the event store to read')
    .requiredOption('--to <url>', 'the event store to write')
    .option(
      '--skip-damaged',
      'leave out events that are damaged in the source, and name each of them',
    )
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Example, from the embedded event store to a cluster:
  npm run event-store
  mace copy-log --from 'esdb://127.0.0.1:2113?tls=false' --to 'esdb+discover://user:secret@cluster:2113'

What is whole of a damaged embedded event store:
  npm run event-store -- --skip-damaged
  mace copy-log --skip-damaged --from 'esdb://127.0.0.1:2113?tls=false' --to 'esdb://127.0.0.1:2114?tls=false'`,
    )
    .action(async (options: CopyLogOptions) => {
      const began = Date.now();
      const from = await openEventStore('--from', options.from);
      const to = await openEventStore('--to', options.to);
      const copying = new Progress('Copying');
      const verifying = new Progress('Comparing');
      try {
        const report = await copyLog(from, to, {
          onCopied: (events) => {
            copying.advance(events);
            verifying.expectMore(events);
          },
          onVerified: (events) => verifying.advance(events),
          onDamaged: options.skipDamaged ? nameLeftOut : undefined,
        });
        verifying.finish();
        print(report, Date.now() - began, options.json);
      } catch (error) {
        if (error instanceof DamagedEvent)
          throw new CommandFailure(
            EXIT.broken,
            `The copy has stopped at a damaged event of the source: ${error.message}. Give --skip-damaged to leave out such events.`,
          );
        if (error instanceof EventStoreUnavailable || error instanceof AmbiguousAppend)
          throw couldNotCheck(`${error.message}. Give the same command again to go on.`);
        throw error;
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });

const placeOf = ({ event, position }: DamagedEvent): string =>
  event
    ? `event ${event.number} of ${event.stream} at position ${position}`
    : `the event at position ${position}`;

const nameLeftOut = (damaged: DamagedEvent): void =>
  console.error(`Left out ${placeOf(damaged)}: ${damaged.message}`);

function print(report: CopyReport, took: number, json: boolean | undefined): void {
  const left_out = report.damaged.map(({ position, event }) => ({
    position: String(position),
    ...event,
  }));
  if (json) return printJson({ ...report, damaged: left_out, duration_ms: took });
  const before =
    report.already_there === 0 ? '' : ` (${counted(report.already_there, 'event')} there before)`;
  console.log(
    `${counted(report.events, 'event')} of ${counted(report.streams, 'stream')}${before} copied and compared in ${duration(took)}: ${left_out.length === 0 ? 'the logs are the same' : `the logs are the same except ${counted(left_out.length, 'damaged event')}, left out`}.`,
  );
}
