import { getRouteApi } from '@tanstack/react-router';
import type { Consent } from '#client/index.js';
import { usePages } from '../data/queries';
import { given, oneOf } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { PagedTable, type Column } from '../ui/data-table';
import { SelectField } from '../ui/field';
import { FilterText } from '../ui/filter-text';
import { Filters } from '../ui/form';
import { Message } from '../ui/message';
import { Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { CONSENT_COLUMNS } from './consent-columns';

const route = getRouteApi('/shell/privacy');

const STATUSES = ['given', 'revoked'] as const;

const COLUMNS: readonly Column<Consent>[] = [
  { name: 'User', cell: ({ user_id }) => <VisibleText text={user_id} /> },
  ...CONSENT_COLUMNS,
];

/** The consents of all users, the newest first, by user and state. */
export function AllConsents() {
  const { user, status } = route.useSearch();
  const moment = useMoment();
  const list = usePages(['consents', 'all', user, status, moment], (mace, page, call) =>
    mace.oversight.consents(
      { ...given({ user_id: user, status: oneOf(STATUSES, status) }), ...moment, ...page },
      call,
    ),
  );
  return (
    <Section title="Consents of all users">
      <ConsentFilters />
      <PagedTable
        list={list}
        what="the consents"
        label="Consents of all users"
        columns={COLUMNS}
        rowsIn={({ consents }) => consents}
        keyOf={({ consent_id }) => consent_id}
        empty={
          <Message title="There is no such consent">
            A user gives consents on this page, or by POST /v1/consents.
          </Message>
        }
      />
    </Section>
  );
}

function ConsentFilters() {
  const { user, status } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (field: 'user' | 'status', value: string): void =>
    void navigate({ search: (before) => ({ ...before, [field]: value }), replace: true });
  return (
    <Filters label="Filter the consents">
      <FilterText
        label="User"
        hint="The user’s id"
        value={user}
        onChange={(value) => set('user', value)}
      />
      <SelectField
        label="State"
        value={status ?? ''}
        options={[['', 'given and revoked'], 'given', 'revoked']}
        onChange={(value) => set('status', value)}
      />
    </Filters>
  );
}
