import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';
import { FilterText } from '../ui/filter-text';
import { Filters } from '../ui/form';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { CONSENT_COLUMNS } from './consent-columns';

const route = getRouteApi('/shell/privacy');

type Status = 'given' | 'revoked';
const statusOf = (status: string | undefined): { readonly status?: Status } =>
  status === 'given' || status === 'revoked' ? { status } : {};

/** The consents of all users, the newest first, by user and state. */
export function AllConsents() {
  const mace = useMace();
  const { user, status } = route.useSearch();
  const list = useInfiniteQuery({
    queryKey: ['consents', 'all', user, status],
    queryFn: ({ signal, pageParam }) =>
      mace.oversight.consents(
        {
          ...(user === undefined ? {} : { user_id: user }),
          ...statusOf(status),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  return (
    <Section title="Consents of all users">
      <ConsentFilters />
      <Answered query={list} what="the consents">
        {({ pages }) => (
          <DataTable
            label="Consents of all users"
            columns={[
              { name: 'User', cell: ({ user_id }) => <VisibleText text={user_id} /> },
              ...CONSENT_COLUMNS,
            ]}
            rows={pages.flatMap(({ consents }) => consents)}
            keyOf={({ consent_id }) => consent_id}
            empty={
              <Message title="There is no such consent">
                A user gives consents on this page, or by POST /v1/consents.
              </Message>
            }
          />
        )}
      </Answered>
      <MoreButton list={list} />
    </Section>
  );
}

function ConsentFilters() {
  const { user, status } = route.useSearch();
  const navigate = route.useNavigate();
  const setUser = (next: string): void =>
    void navigate({ search: (before) => ({ ...before, user: next }), replace: true });
  return (
    <Filters label="Filter the consents">
      <FilterText label="User" hint="The user’s id" value={user} onChange={setUser} />
      <Field label="State">
        {(field) => (
          <select
            {...field}
            value={status ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, status: target.value }),
                replace: true,
              })
            }
          >
            <option value="">given and revoked</option>
            <option value="given">given</option>
            <option value="revoked">revoked</option>
          </select>
        )}
      </Field>
    </Filters>
  );
}
