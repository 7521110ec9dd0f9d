import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordedRead, WhyThing } from '#client/index.js';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { DataTable } from '../ui/data-table';
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
  if (reads.isError) return <ErrorNotice error={reads.error} retry={() => void reads.refetch()} />;
  const rows = reads.data.pages.flatMap((page) => page.reads);
  if (rows.length === 0)
    return (
      <Message
        title={seesAll ? 'No job recorded a read of it' : 'None of your jobs recorded a read of it'}
      >
        <p>
          A job records a read if the request names the job: `job_seed`, or `record_in` of a search.
        </p>
      </Message>
    );
  return (
    <>
      <DataTable label="Reads by jobs" columns={['Job', 'How', 'Tick', 'When', 'By', 'Event']}>
        {rows.map((read) => (
          <tr key={read.event.position}>
            <th scope="row">
              <Link
                to="/jobs/$seed"
                params={{ seed: read.job_seed }}
                search={{ at: read.event.number }}
              >
                {read.job_seed}
              </Link>
            </th>
            <td>{HOW[read.kind]}</td>
            <td>{read.tick}</td>
            <td>
              <Instant at={read.recorded_at} />
            </td>
            <td>
              <VisibleText text={read.actor} />
            </td>
            <td>
              <EventPlace event={read.event} />
            </td>
          </tr>
        ))}
      </DataTable>
      <MoreButton of={reads} what="reads" />
    </>
  );
}
