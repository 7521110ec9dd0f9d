import { Link } from '@tanstack/react-router';
import type { RecordedRead, WhyThing } from '#client/index.js';
import { usePages } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { type Column, PagedTable } from '../ui/data-table';
import { EventPlace } from '../ui/event-place';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';

const HOW: Readonly<Record<RecordedRead['kind'], string>> = {
  sem_get: 'read the fact',
  episodes_query: 'found it among episodes',
  wm_find: 'found it in WM',
  cwm_find: 'found it in the CWM',
  search: 'found it by a search',
};

const COLUMNS: readonly Column<RecordedRead>[] = [
  {
    name: 'Job',
    cell: ({ job_seed, event }) => (
      <Link to="/jobs/$seed" params={{ seed: job_seed }} search={{ at: event.number }}>
        {job_seed}
      </Link>
    ),
  },
  { name: 'How', cell: ({ kind }) => HOW[kind] },
  { name: 'Tick', cell: ({ tick }) => tick, isNumber: true },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  { name: 'By', cell: ({ actor }) => <VisibleText text={actor} /> },
  { name: 'Event', cell: ({ event }) => <EventPlace event={event} /> },
];

/** The jobs that recorded a read of a thing, because they may have decided on it. */
export function RecordedReads({ kind, id }: WhyThing) {
  const seesAll = hasRole(useSession(), 'admin', 'auditor', 'council');
  const moment = useMoment();
  const reads = usePages(['why-reads', kind, id, moment], (mace, page, call) =>
    mace.why.reads({ kind, id, ...moment }, page, call),
  );
  return (
    <Section title="Jobs that recorded a read of it">
      <PagedTable
        list={reads}
        what="the reads"
        label="Reads by jobs"
        columns={COLUMNS}
        rowsIn={(page) => page.reads}
        keyOf={({ event }) => event.position}
        empty={
          <Message
            title={
              seesAll ? 'No job recorded a read of it' : 'None of your jobs recorded a read of it'
            }
          >
            <p>
              A job records a read if the request names the job: <code>job_seed</code>, or{' '}
              <code>record_in</code> of a search.
            </p>
          </Message>
        }
      />
    </Section>
  );
}
