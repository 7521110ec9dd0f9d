import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { SearchResult } from '#client/index.js';
import { useRead } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import { Hit } from './hit';
import { SearchForm } from './search-form';
import { requestOf, type SearchSearch, searchSearchOf } from './search-search';
import cards from '../ui/cards.module.css';

const route = getRouteApi('/shell/search');

/** Finds words in everything that the reader may see, and explains why each hit stands where it does. */
export function SearchPage() {
  const search = route.useSearch({ select: searchSearchOf });
  const navigate = useNavigate({ from: '/search' });
  const show = (next: SearchSearch) => void navigate({ search: next, resetScroll: false });
  const { q } = search;
  return (
    <>
      <PageHeader
        title="Search"
        about="Finds words in facts, episodes, spaces, notes and the memory of jobs that you may read."
      />
      <Sections>
        <SearchForm key={JSON.stringify({ ...search, explain: 0 })} search={search} show={show} />
        {q === undefined ? (
          <Message title="Write what you look for">
            <p>
              Words are found in any form: <i>walking</i> finds <i>walked</i>. A phrase in quotes
              must occur as it is; a word or phrase with a minus sign before it must not occur.
            </p>
          </Message>
        ) : (
          <Hits search={{ ...search, q }} show={show} />
        )}
      </Sections>
    </>
  );
}

interface HitsProps {
  readonly search: SearchSearch & { readonly q: string };
  readonly show: (search: SearchSearch) => void;
}

function Hits({ search, show }: HitsProps) {
  const moment = useMoment();
  const request = requestOf(search, moment);
  const found = useRead(['search', request], (mace, call) => mace.search(request, call));
  return (
    <Answered query={found} what="the hits">
      {(answer) =>
        answer.hits.length === 0 ? (
          <NoHits search={search} show={show} />
        ) : (
          <HitList found={answer} search={search} show={show} />
        )
      }
    </Answered>
  );
}

function HitList({ found, search, show }: HitsProps & { readonly found: SearchResult }) {
  const { hits, as_of, ranking_version } = found;
  const isPast = useMoment().at !== undefined;
  const { explain: isExplained = false, ...others } = search;
  const count = `${hits.length} hit${hits.length === 1 ? '' : 's'}`;
  return (
    <>
      <Bar>
        <p role="status">
          {`${count}, best first, by version ${ranking_version} of the ranking, at position ${as_of} of the log`}
        </p>
        <Button onClick={() => show(isExplained ? others : { ...others, explain: true })}>
          {isExplained ? 'Hide the explanations' : 'Explain the scores'}
        </Button>
        {search.as_of === undefined && !isPast && (
          <Button onClick={() => show({ ...search, as_of })}>
            Keep this position in the address
          </Button>
        )}
      </Bar>
      <ol className={cards.cards}>
        {hits.map((hit) => (
          <Hit key={`${hit.kind} ${hit.id}`} hit={hit} isExplained={isExplained} />
        ))}
      </ol>
    </>
  );
}

function NoHits({ search, show }: HitsProps) {
  const { q, ...filters } = search;
  const hasFilters = Object.keys(filters).some((name) => name !== 'explain' && name !== 'max');
  return (
    <Message title="Nothing that you may read has these words">
      {hasFilters ? (
        <>
          <p>The filters limit what is found.</p>
          <Button onClick={() => show({ q })}>Search everything</Button>
        </>
      ) : (
        <p>
          Try fewer words, or other ones. Words such as <i>the</i> and <i>of</i> do not count, and
          personal data that is sealed is never found.
        </p>
      )}
    </Message>
  );
}
