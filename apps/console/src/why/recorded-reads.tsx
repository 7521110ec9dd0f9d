import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordedRead, WhyThing } from '#client/index.js';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { EventPlace } from '../ui/event-place';
import { Instant } from '../ui/instant';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
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
export const RecordedReads = ({ kind, id }: WhyThing) => (
  <Section title="Jobs that recorded a read of it">
    <Reads kind={kind} id={id} />
  </Section>
);

function Reads({ kind, id }: WhyThing) {
  const mace = useMace();
  const seesAll = hasRole(useSession(), 'admin', 'auditor', 'council');
  const reads = useInfiniteQuery({
    queryKey: ['why-reads', kind, id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      mace.why.reads({ kind, id }, pageParam === undefined ? {} : { cursor: pageParam }, {
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (reads.isPending) return <Loading what="the reads" />;
  if (reads.isLoadingError)
    return <ErrorNotice error={reads.error} retry={() => void reads.refetch()} />;
  const rows = reads.data.pages.flatMap((page) => page.reads);
  if (rows.length === 0)
    return (
      <Message
        title={seesAll ? 'No job recorded a read of it' : 'None of your jobs recorded a read of it'}
      >
        <p>
          A job records a read if the request names the job: <code>job_seed</code>, or{' '}
          <code>record_in</code> of a search.
        </p>
      </Message>
    );
  return (
    <>
      <DataTable
        label="Reads by jobs"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ event }) => event.position}
        empty={null}
      />
      <MoreButton list={reads} />
    </>
  );
}
