import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminAccess } from '#client/index.js';
import { useLive } from '../live/live';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { type Column, DataTable } from '../ui/data-table';
import { FilterText } from '../ui/filter-text';
import { Filters } from '../ui/form';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { VisibleText } from '../ui/visible-text';
import { AccessReason } from './access-reason';
import { EventReceipt } from './event-receipt';
import { PrivacyFrame } from './privacy-frame';

const route = getRouteApi('/shell/privacy/accesses');

const COLUMNS: readonly Column<AdminAccess>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'What', cell: ({ stream }) => <VisibleText text={stream} /> },
  { name: 'Version', cell: ({ version }) => version ?? 'the latest', isNumber: true },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  { name: 'Reason', cell: ({ reason }) => <AccessReason reason={reason} /> },
  { name: 'Request', cell: ({ trace_id }) => <code>{trace_id}</code> },
  { name: 'Receipt', cell: (access) => <EventReceipt entry={access} /> },
];

/** Lists who read which personal data unredacted, each with its receipt (SPEC G7). */
export function AccessesPage() {
  return (
    <PrivacyFrame
      to="/privacy/accesses"
      title="Unredacted reads"
      about="Each read of personal data by an admin or the council was recorded before its answer, with the reason that the reader gave. The trace id leads to the request."
    >
      <Accesses />
    </PrivacyFrame>
  );
}

function Accesses() {
  const mace = useMace();
  const { sub, stream } = route.useSearch();
  const list = useInfiniteQuery({
    queryKey: ['accesses', sub, stream],
    queryFn: ({ signal, pageParam }) =>
      mace.oversight.accesses(
        {
          ...(sub === undefined ? {} : { sub }),
          ...(stream === undefined ? {} : { stream }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  useLive(['audit'], ['accesses']);
  return (
    <>
      <AccessFilters />
      <Answered query={list} what="the unredacted reads">
        {({ pages }) => (
          <DataTable
            label="Unredacted reads"
            columns={COLUMNS}
            rows={pages.flatMap(({ accesses }) => accesses)}
            keyOf={({ event }) => event.position}
            empty={
              <Message title="Nobody has read personal data unredacted" kind="good">
                If you filter, this is so for the reader and the stream above.
              </Message>
            }
          />
        )}
      </Answered>
      <MoreButton list={list} />
    </>
  );
}

function AccessFilters() {
  const { sub, stream } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (field: 'sub' | 'stream', value: string): void =>
    void navigate({ search: (before) => ({ ...before, [field]: value }), replace: true });
  return (
    <Filters label="Filter the reads">
      <FilterText
        label="Who"
        hint="The sub of the reader"
        value={sub}
        onChange={(value) => set('sub', value)}
      />
      <FilterText
        label="What"
        hint="A stream, such as job-trip-1"
        value={stream}
        onChange={(value) => set('stream', value)}
      />
    </Filters>
  );
}
