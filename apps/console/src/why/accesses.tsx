import { useInfiniteQuery } from '@tanstack/react-query';
import type { AdminAccess, WhyThing } from '#client/index.js';
import { AccessReason } from '../privacy/access-reason';
import { EventReceipt } from '../privacy/event-receipt';
import { useMace } from '../session/session-provider';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Instant } from '../ui/instant';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';

const COLUMNS: readonly Column<AdminAccess>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  { name: 'Version', cell: ({ version }) => version ?? 'the latest', isNumber: true },
  { name: 'Reason', cell: ({ reason }) => <AccessReason reason={reason} /> },
  { name: 'Request', cell: ({ trace_id }) => <code>{trace_id}</code> },
  { name: 'Receipt', cell: (access) => <EventReceipt entry={access} /> },
];

type AccessesProps = WhyThing & {
  /** The stream that holds the thing; an unredacted read is one of a stream. */
  readonly stream: string;
};

/** The reads of personal data in the thing's stream, each with its receipt: the event that recorded it. */
export const Accesses = (thing: AccessesProps) => (
  <Section title="Unredacted reads">
    <AccessList {...thing} />
  </Section>
);

function AccessList({ kind, id, stream }: AccessesProps) {
  const mace = useMace();
  const accesses = useInfiniteQuery({
    queryKey: ['why-accesses', kind, id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      mace.why.accesses({ kind, id }, pageParam === undefined ? {} : { cursor: pageParam }, {
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (accesses.isPending) return <Loading what="the unredacted reads" />;
  if (accesses.isLoadingError)
    return <ErrorNotice error={accesses.error} retry={() => void accesses.refetch()} />;
  const rows = accesses.data.pages.flatMap((page) => page.accesses);
  if (rows.length === 0)
    return (
      <Message title="Nobody has read its personal data unredacted">
        <p>
          The log would have an event for each such read of <VisibleText text={stream} />.
        </p>
      </Message>
    );
  return (
    <>
      <DataTable
        label="Table of unredacted reads"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ event }) => event.position}
        empty={null}
      />
      <MoreButton list={accesses} />
    </>
  );
}
