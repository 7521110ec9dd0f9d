import { keepPreviousData } from '@tanstack/react-query';
import type { IntegrityRun } from '#client/index.js';
import { useRead } from '../data/queries';
import { Answered } from '../ui/answered';
import { type Column, DataTable } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { Section } from '../ui/stack';
import { Decisions, MadeBy, ResultBadge } from './report';

const secondsOf = ({ started_at, finished_at }: IntegrityRun): string =>
  finished_at === null
    ? ''
    : `${((Date.parse(finished_at) - Date.parse(started_at)) / 1_000).toFixed(1)} s`;

const COLUMNS: readonly Column<IntegrityRun>[] = [
  { name: 'Started', cell: ({ started_at }) => <Instant at={started_at} /> },
  { name: 'Result', cell: (run) => <ResultBadge run={run} /> },
  { name: 'Events', cell: ({ events }) => events.toLocaleString('en'), isNumber: true },
  { name: 'Streams', cell: ({ streams }) => streams.toLocaleString('en'), isNumber: true },
  { name: 'Decisions', cell: (run) => <Decisions run={run} /> },
  { name: 'By', cell: (run) => <MadeBy run={run} /> },
  { name: 'Took', cell: secondsOf, isNumber: true },
];

/** The verifications that ended, by any instance. They are read again when `last` ends. */
export function PastRuns({ last }: { readonly last: string | null | undefined }) {
  const runs = useRead(['integrity', 'runs', last], (mace, call) => mace.integrity.runs(call), {
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Past verifications">
      <Answered query={runs} what="the past verifications">
        {(rows) => (
          <DataTable
            label="Past verifications"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ started_at }) => started_at}
            empty={
              <Message title="No verification has ended yet">
                The service runs one at the interval in MACE_VERIFY_EVENT_LOG_MINUTES.
              </Message>
            }
          />
        )}
      </Answered>
    </Section>
  );
}
