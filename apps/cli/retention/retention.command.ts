import type { Command } from 'commander';
import type { MaceClient } from '#client/mace-client.js';
import type { Retention } from '#client/privacy.js';
import { pagesOf } from '#client/pages.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';

interface RetentionOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly request?: boolean;
}

type Subject = Retention['subjects'][number];

const PAGE = 500;

/** `mace retention`: reports whose personal data is kept and what is due, and asks for its erasure. */
export const addRetentionCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('retention')
      .summary('report how long personal data is kept')
      .description(
        'Shows the subjects whose personal data is kept, since when, and whether the retention period ' +
          '(MACE_RETENTION_DAYS) is over. With --request, it asks the council to erase the data that is due; an ' +
          'erasure still needs the approval of the council and the order of an admin.',
      )
      .option('--request', 'ask the council to erase what is due')
      .option('--json', 'print the report as JSON')
      .addHelpText(
        'after',
        `
Examples:
  mace retention
  mace retention --request`,
      ),
  ).action(async (options: RetentionOptions) => {
    const client = await connect(options, { sub: 'mace-retention', roles: ['admin'] });
    const report = await wholeReport(client);
    const due = report.subjects.filter(({ is_due, erased }) => is_due && !erased);
    const requests = options.request ? await requested(client, due) : [];
    if (options.json) return printJson({ ...report, requests });
    print(report, due, requests);
  });

async function wholeReport(client: MaceClient): Promise<Omit<Retention, 'next_cursor'>> {
  const subjects: Subject[] = [];
  let retention_days = 0;
  for await (const page of pagesOf((next) => client.privacy.retention({ limit: PAGE, ...next }))) {
    subjects.push(...page.subjects);
    retention_days = page.retention_days;
  }
  return { retention_days, subjects };
}

/** Asks for the erasure of each subject. Asking again for the same data adds no second request. */
async function requested(client: MaceClient, due: readonly Subject[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { subject, last_recorded_at } of due) {
    const { request_id } = await client.actionRequests.propose(
      {
        kind: 'erasure',
        subject,
        reason_code: 'retention',
        justification: `The retention period of this data is over; its last event was recorded at ${last_recorded_at}.`,
      },
      { idempotencyKey: `retention:${subject}:${last_recorded_at}` },
    );
    ids.push(request_id);
  }
  return ids;
}

function print(
  { retention_days, subjects }: Omit<Retention, 'next_cursor'>,
  due: readonly Subject[],
  requests: readonly string[],
): void {
  const { green, yellow } = coloursFor(process.stdout);
  for (const {
    subject,
    events,
    first_recorded_at,
    last_recorded_at,
    due_at,
    is_due,
    erased,
  } of subjects) {
    const state = erased ? green('erased') : is_due ? yellow('due') : `until ${due_at}`;
    console.log(
      `${subject}  ${counted(events, 'event')}  ${first_recorded_at} to ${last_recorded_at}  ${state}`,
    );
  }
  console.log(
    `${counted(subjects.length, 'subject')}, ${due.length} due after ${counted(retention_days, 'day')}.`,
  );
  for (const id of requests) console.log(`${green('Requested')}  action request ${id}`);
}
