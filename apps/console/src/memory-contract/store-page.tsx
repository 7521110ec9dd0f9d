import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Sections } from '../ui/section';
import { Conversation } from './conversation';
import { Decisions } from './decisions';
import { Items } from './items';
import { Phases } from './phases';
import { SPACES, type StoreSearch, storeSearchOf, type View, VIEWS } from './spaces-search';
import styles from './spaces.module.css';

const route = getRouteApi('/shell/spaces/$space/$owner');

const NAMES: Readonly<Record<View, string>> = {
  conversation: 'Conversation',
  items: 'Items',
  phases: 'Phases and differences',
  decisions: 'Decisions',
};

/** One store: the conversation of a session, its items, its phases, and the decisions of its recalls and interactions. */
export function StorePage() {
  const { space: named, owner } = route.useParams();
  const search = route.useSearch({ select: storeSearchOf });
  const navigate = useNavigate({ from: '/spaces/$space/$owner' });
  const space = SPACES.find((name) => name === named);
  if (space === undefined)
    return (
      <>
        <PageHeader title="Spaces" />
        <Message title="There is no such space">
          <Link to="/spaces">Look through the spaces</Link>
        </Message>
      </>
    );
  // Only a session has a conversation; what came to another space from sessions stands among its items.
  const views = VIEWS.filter((name) => name !== 'conversation' || space === 'session');
  const view = views.find((name) => name === search.view) ?? views[0]!;
  const show = (next: StoreSearch) =>
    void navigate({ search: { view, ...next }, resetScroll: false });
  const part = { space, owner, search, show };
  return (
    <>
      <PageHeader title={`Space ${space} of ${owner}`} about="What assistants remember there.">
        <Link to="/spaces" search={{ space }}>
          All {space} spaces
        </Link>
      </PageHeader>
      <nav className={styles.views} aria-label="Parts of the space">
        {views.map((name) => (
          <Link
            key={name}
            from="/spaces/$space/$owner"
            to="."
            search={{ view: name }}
            className={styles.view}
            aria-current={name === view ? 'page' : undefined}
            // The router marks a link that fits the address; only the part that is shown may be marked.
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {NAMES[name]}
          </Link>
        ))}
      </nav>
      <Sections>
        {view === 'conversation' && <Conversation {...part} />}
        {view === 'items' && <Items {...part} />}
        {view === 'phases' && <Phases {...part} />}
        {view === 'decisions' && <Decisions {...part} />}
      </Sections>
    </>
  );
}
