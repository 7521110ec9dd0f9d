import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedStore } from '#client/index.js';
import { usePages } from '../data/queries';
import { given, type SearchProps } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { Button } from '../ui/button';
import { type Column, PagedTable } from '../ui/data-table';
import { SelectField, TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import { StoreLink } from './store-link';
import { SPACES, type Space, type SpacesSearch, spacesSearchOf } from './spaces-search';

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

export function SpacesPage() {
  const search = route.useSearch({ select: spacesSearchOf });
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

function SpacesForm({ search, show }: SearchProps<SpacesSearch>) {
  const [space, setSpace] = useState<Space | ''>(search.space ?? '');
  const [owner, setOwner] = useState(search.owner ?? '');
  const submit = submitting(() => {
    const name = owner.trim();
    if (name === '') show(space === '' ? {} : { space });
    // Owners are looked for within one space.
    else show({ space: space === '' ? 'session' : space, owner: name });
  });
  return (
    <form role="search" aria-label="Spaces" onSubmit={submit}>
      <Bar>
        <SelectField
          label="Space"
          value={space}
          options={[['', 'all'], ...SPACES]}
          onChange={setSpace}
        />
        <TextField
          label="Owner begins with"
          value={owner}
          size={28}
          maxLength={256}
          onChange={setOwner}
        />
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
  const moment = useMoment();
  const stores = usePages(['stores', space, owner, moment], (mace, page, call) =>
    mace.memory.stores(
      {
        ...given({ space, prefix: space === undefined ? undefined : owner }),
        ...page,
        ...moment,
        limit: PAGE,
      },
      call,
    ),
  );
  return (
    <PagedTable
      list={stores}
      what="the spaces"
      label="Table of spaces"
      columns={COLUMNS}
      rowsIn={(page) => page.stores}
      keyOf={(store) => `${store.space}:${store.owner}`}
      empty={
        !stores.hasNextPage && (
          <NoStores
            hasFilter={space !== undefined}
            isPast={moment.at !== undefined}
            clear={clear}
          />
        )
      }
    />
  );
}

interface NoStoresProps {
  readonly hasFilter: boolean;
  readonly isPast: boolean;
  readonly clear: () => void;
}

const NoStores = ({ hasFilter, isPast, clear }: NoStoresProps) =>
  hasFilter ? (
    <Message title="No space that you may read has such an owner">
      <Button onClick={clear}>Show all spaces</Button>
    </Message>
  ) : isPast ? (
    <Message title="There was no space that you may read" />
  ) : (
    <Message title="There is no memory of assistants yet">
      <p>
        It begins when an assistant records a turn: <code>POST /v1/memory/interactions</code>.
      </p>
    </Message>
  );
