import type { IntegrityReport, IntegrityRun } from '#client/index.js';
import { Badge } from '../ui/badge';
import { inWords, Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { Facts } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const resultInWords = ({ events, streams, found }: IntegrityRun): string =>
  found === 0
    ? `${counted(events, 'event')} of ${counted(streams, 'stream')} are intact.`
    : `${counted(found, 'finding')} in ${counted(events, 'event')}.`;

const MEANS: Readonly<Record<NonNullable<IntegrityRun['means']>, string>> = {
  console: 'in the console',
  command_line: 'by the command line',
  api: 'by the API',
  schedule: '',
};

/** Who started a verification and by which means; earlier releases did not record it. */
export function MadeBy({ run: { made_by, means } }: { readonly run: IntegrityRun }) {
  if (made_by === undefined || means === undefined) return null;
  if (means === 'schedule') return <>the schedule of the service</>;
  return (
    <span>
      <VisibleText text={made_by} /> {MEANS[means]}
    </span>
  );
}

/** Whether the decisions were part of a verification. A verification without them says nothing about them. */
export const Decisions = ({ run }: { readonly run: IntegrityRun }) =>
  run.decisions ? (
    <>{counted(run.decided, 'stream')} decided again</>
  ) : (
    <Badge kind="warning">not checked</Badge>
  );

export const ResultBadge = ({ run: { found } }: { readonly run: IntegrityRun }) =>
  found === 0 ? (
    <Badge kind="good">intact</Badge>
  ) : (
    <Badge kind="bad">{counted(found, 'finding')}</Badge>
  );

interface ProgressProps {
  readonly report: IntegrityReport;
  /** The number of events of the last verification, which this one will exceed. */
  readonly expected: number;
}

/** The progress of the verification that runs now, on whichever instance. */
export const Progress = ({ report, expected }: ProgressProps) => {
  const { events, found, started_at, made_by } = report;
  return (
    <Message title={`The verification runs: ${counted(events, 'event')} checked`}>
      <progress
        aria-label="Progress of the verification"
        {...(expected > 0 ? { max: Math.max(expected, events), value: events } : {})}
      />
      <p>
        Started {inWords(started_at)}
        {made_by !== undefined && (
          <>
            {' '}
            by <MadeBy run={report} />
          </>
        )}
        . {found === 0 ? 'Nothing was found so far.' : `${counted(found, 'finding')} so far.`} You
        can leave this page.
      </p>
    </Message>
  );
};

export function Result({ report }: { readonly report: IntegrityReport }) {
  const { events, streams, found, started_at, finished_at, made_by } = report;
  return (
    <Message title={resultInWords(report)} kind={found === 0 ? 'good' : 'bad'}>
      <Facts
        facts={[
          ['Finished', <Instant key="at" at={finished_at ?? started_at} />],
          ...(made_by === undefined ? [] : [['By', <MadeBy key="by" run={report} />] as const]),
          ['Events', events.toLocaleString('en')],
          ['Streams', streams.toLocaleString('en')],
          ['Decisions', <Decisions key="decisions" run={report} />],
        ]}
      />
    </Message>
  );
}
