import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RefusedCommand } from '#client/index.js';
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
import { EventReceipt } from './event-receipt';
import { PrivacyFrame } from './privacy-frame';

const route = getRouteApi('/shell/privacy/refusals');

const COLUMNS: readonly Column<RefusedCommand>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'Route', cell: ({ route: path }) => <VisibleText text={path} /> },
  { name: 'Refused with', cell: ({ code }) => <code>{code}</code> },
  {
    name: 'Stream',
    cell: ({ stream }) => (stream === null ? '–' : <VisibleText text={stream} />),
  },
  { name: 'When', cell: ({ recorded_at }) => <Instant at={recorded_at} /> },
  {
    name: 'Counted before',
    cell: ({ uncounted_before }) => (uncounted_before === 0 ? '–' : uncounted_before),
    isNumber: true,
  },
  { name: 'Receipt', cell: (refusal) => <EventReceipt entry={refusal} /> },
];

/** Lists the commands that a rule or a right refused, of all callers or of one (SPEC I1). */
export function RefusalsPage() {
  return (
    <PrivacyFrame
      to="/privacy/refusals"
      title="Refused commands"
      about="The audit streams. More than 60 refusals of a caller in a minute are counted only; the next entry shows how many."
    >
      <Refusals />
    </PrivacyFrame>
  );
}

function Refusals() {
  const mace = useMace();
  const { sub } = route.useSearch();
  const navigate = route.useNavigate();
  const setSub = (value: string): void => void navigate({ search: { sub: value }, replace: true });
  const list = useInfiniteQuery({
    queryKey: ['refusals', sub],
    queryFn: ({ signal, pageParam }) =>
      mace.oversight.refusals(
        {
          ...(sub === undefined ? {} : { sub }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  useLive(['audit'], ['refusals']);
  return (
    <>
      <Filters label="Filter the refusals">
        <FilterText label="Who" hint="The sub of the caller" value={sub} onChange={setSub} />
      </Filters>
      <Answered query={list} what="the refused commands">
        {({ pages }) => (
          <DataTable
            label="Refused commands"
            columns={COLUMNS}
            rows={pages.flatMap(({ refusals }) => refusals)}
            keyOf={({ event }) => event.position}
            empty={
              <Message title="No command was refused" kind="good">
                If you filter, this is so for the caller above.
              </Message>
            }
          />
        )}
      </Answered>
      <MoreButton list={list} />
    </>
  );
}
