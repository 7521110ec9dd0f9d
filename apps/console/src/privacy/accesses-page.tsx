import { getRouteApi } from '@tanstack/react-router';
import { usePages } from '../data/queries';
import { given } from '../data/search-params';
import { useLive } from '../live/live';
import { PagedTable } from '../ui/data-table';
import { useMoment } from '../moment/use-moment';
import { FilterText } from '../ui/filter-text';
import { Filters } from '../ui/form';
import { Message } from '../ui/message';
import { ACCESS_COLUMNS } from './access-columns';
import { PrivacyFrame } from './privacy-frame';

const route = getRouteApi('/shell/privacy/accesses');

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
  const { sub, stream, user_id } = route.useSearch();
  const moment = useMoment();
  const list = usePages(['accesses', sub, stream, user_id, moment], (mace, page, call) =>
    mace.oversight.accesses({ ...given({ sub, stream, user_id }), ...moment, ...page }, call),
  );
  useLive(['audit'], ['accesses']);
  const isFiltered = [sub, stream, user_id].some((text) => text !== undefined && text !== '');
  return (
    <>
      <AccessFilters />
      <PagedTable
        list={list}
        what="the unredacted reads"
        label="Unredacted reads"
        columns={ACCESS_COLUMNS}
        rowsIn={({ accesses }) => accesses}
        keyOf={({ event }) => event.position}
        empty={<Message title={nobodyRead(isFiltered, moment.at !== undefined)} kind="good" />}
      />
    </>
  );
}

const nobodyRead = (isFiltered: boolean, isPast: boolean): string =>
  `Nobody ${isPast ? 'had' : 'has'} read ${isFiltered ? 'this' : 'personal data'} unredacted` +
  (isPast ? ' by the moment that is shown' : '');

function AccessFilters() {
  const { sub, stream, user_id } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (field: 'sub' | 'stream' | 'user_id', value: string): void =>
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
      <FilterText
        label="Whose"
        hint="The id of the user whose data was read"
        value={user_id}
        onChange={(value) => set('user_id', value)}
      />
    </Filters>
  );
}
