import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { ListedStore } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import { StoreLink } from './store-link';
import { SPACES, type Space, type SpacesSearch } from './spaces-search';

const route = getRouteApi('/shell/spaces');
const PAGE = 100;

const COLUMNS: readonly Column<ListedStore>[] = [
  {
    name: 'Space and owner',
    cell: (store) => <StoreLink space={store.space} owner={store.owner} />,
  },
  { name: 'Ticks', cell: ({ tick }) => tick.toLocaleString('en'), isNumber: true },
  { name: 'Events', cell: ({ version }) => (version + 1).toLocaleString('en'), isNumber: true },
];

/** The stores of the Memory Contract that the reader may see. */
export function SpacesPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/spaces' });
  const show = (next: SpacesSearch) => void navigate({ search: next });
  return (
    <>
      <PageHeader
        title="Spaces"
        about="What assistants remember about a session, a user, a project, or for everybody."
      />
      <Sections>
        <SpacesForm key={`${search.space} ${search.owner}`} search={search} show={show} />
        <Stores search={search} clear={() => show({})} />
      </Sections>
    </>
  );
}

interface SpacesFormProps {
  readonly search: SpacesSearch;
  readonly show: (search: SpacesSearch) => void;
}

function SpacesForm({ search, show }: SpacesFormProps) {
  const [space, setSpace] = useState<Space | ''>(search.space ?? '');
  const [owner, setOwner] = useState(search.owner ?? '');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = owner.trim();
    if (name === '') show(space === '' ? {} : { space });
    // Owners are looked for within one space.
    else show({ space: space === '' ? 'session' : space, owner: name });
  };
  return (
    <form role="search" aria-label="Spaces" onSubmit={submit}>
      <Bar>
        <Field label="Space">
          {(field) => (
            <select
              {...field}
              value={space}
              onChange={(event) => setSpace(event.target.value as Space | '')}
            >
              <option value="">all</option>
              {SPACES.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Owner begins with">
          {(field) => (
            <input
              {...field}
              value={owner}
              size={28}
              maxLength={256}
              onChange={(event) => setOwner(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit">Show</Button>
      </Bar>
    </form>
  );
}

interface StoresProps {
  readonly search: SpacesSearch;
  readonly clear: () => void;
}

function Stores({ search: { space, owner }, clear }: StoresProps) {
  const mace = useMace();
  const stores = useInfiniteQuery({
    queryKey: ['stores', space, owner],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      mace.memory.stores(
        {
          ...(space === undefined ? {} : { space }),
          ...(space === undefined || owner === undefined ? {} : { prefix: owner }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
          limit: PAGE,
        },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (stores.isPending) return <Loading what="the spaces" />;
  if (stores.isLoadingError)
    return <ErrorNotice error={stores.error} retry={() => void stores.refetch()} />;
  const rows = stores.data.pages.flatMap((page) => page.stores);
  if (rows.length === 0 && !stores.hasNextPage)
    return space === undefined ? (
      <Message title="There is no memory of assistants yet">
        <p>
          It begins when an assistant records a turn: <code>POST /v1/memory/interactions</code>.
        </p>
      </Message>
    ) : (
      <Message title="No space that you may read has such an owner">
        <Button onClick={clear}>Show all spaces</Button>
      </Message>
    );
  return (
    <>
      <DataTable
        label="Table of spaces"
        columns={COLUMNS}
        rows={rows}
        keyOf={(store) => `${store.space}:${store.owner}`}
        empty={null}
      />
      <MoreButton list={stores} />
    </>
  );
}
