import { getRouteApi } from '@tanstack/react-router';
import type { RefusedCommand } from '#client/index.js';
import { usePages } from '../data/queries';
import { given } from '../data/search-params';
import { useLive } from '../live/live';
import { type Column, PagedTable } from '../ui/data-table';
import { FilterText } from '../ui/filter-text';
import { Filters } from '../ui/form';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import { EventReceipt } from './event-receipt';
import { PrivacyFrame } from './privacy-frame';

const route = getRouteApi('/shell/privacy/refusals');

const COLUMNS: readonly Column<RefusedCommand>[] = [
  { name: 'Who', cell: ({ sub }) => <VisibleText text={sub} /> },
  { name: 'Route', cell: ({ route: path }) => <VisibleText text={path} /> },
  { name: 'Refused with', cell: ({ code }) => <code>{code}</code> },
  { name: 'Stream', cell: ({ stream }) => (stream === null ? '–' : <VisibleText text={stream} />) },
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
  const { sub } = route.useSearch();
  const navigate = route.useNavigate();
  const setSub = (value: string): void => void navigate({ search: { sub: value }, replace: true });
  const list = usePages(['refusals', sub], (mace, page, call) =>
    mace.oversight.refusals({ ...given({ sub }), ...page }, call),
  );
  useLive(['audit'], ['refusals']);
  return (
    <>
      <Filters label="Filter the refusals">
        <FilterText label="Who" hint="The sub of the caller" value={sub} onChange={setSub} />
      </Filters>
      <PagedTable
        list={list}
        what="the refused commands"
        label="Refused commands"
        columns={COLUMNS}
        rowsIn={({ refusals }) => refusals}
        keyOf={({ event }) => event.position}
        empty={
          <Message title="No command was refused" kind="good">
            If you filter, this is so for the caller above.
          </Message>
        }
      />
    </>
  );
}
