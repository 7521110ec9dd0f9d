import type { SearchRequest } from '#client/index.js';

export const SEARCH_KINDS = ['fact', 'episode', 'memory_item', 'note', 'wm', 'cwm'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The kinds in words. */
export const KIND_WORDS: Readonly<Record<SearchKind, string>> = {
  fact: 'facts',
  episode: 'episodes',
  memory_item: 'items of spaces',
  note: 'notes',
  wm: 'WM entries',
  cwm: 'CWM items',
};

export const SPACES = ['session', 'user', 'project', 'system'] as const;

/** A search, as the address of the page has it. */
export interface SearchSearch {
  readonly q?: string;
  /** Kinds with commas between them; without it, all kinds. */
  readonly kinds?: string;
  readonly job?: string;
  readonly session?: string;
  readonly space?: (typeof SPACES)[number];
  /** ISO 8601 dates or instants. */
  readonly from?: string;
  readonly to?: string;
  /** The position in the log at which memory is searched. */
  readonly as_of?: string;
  readonly ranking?: 1 | 2;
  readonly max?: number;
  readonly explain?: true;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;

const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

const kindsIn = (text: string | undefined): SearchKind[] => {
  const names = (text ?? '').split(',');
  return SEARCH_KINDS.filter((kind) => names.includes(kind));
};

export function searchSearchOf(search: Record<string, unknown>): SearchSearch {
  const kinds = kindsIn(textOf(search['kinds']));
  const max = Number(search['max']);
  const ranking = Number(search['ranking']);
  return {
    ...given('q', textOf(search['q'])),
    ...(kinds.length === 0 ? {} : { kinds: kinds.join(',') }),
    ...given('job', textOf(search['job'])),
    ...given('session', textOf(search['session'])),
    ...given(
      'space',
      SPACES.find((space) => space === search['space']),
    ),
    ...given('from', textOf(search['from'])),
    ...given('to', textOf(search['to'])),
    ...given('as_of', textOf(search['as_of'])),
    ...(ranking === 1 || ranking === 2 ? { ranking } : {}),
    ...(Number.isInteger(max) && max >= 1 && max <= 100 ? { max } : {}),
    ...(search['explain'] === true ? { explain: true } : {}),
  };
}

/** Returns the kinds that a search is limited to; none means all. */
export const kindsOf = ({ kinds }: SearchSearch): readonly SearchKind[] => kindsIn(kinds);

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the request of a search. A date begins at its first moment, and ends at its last. */
export function requestOf(search: SearchSearch & { readonly q: string }): SearchRequest {
  const { q: query, job, session, space, from, to, as_of, ranking, max } = search;
  const kinds = kindsOf(search);
  const window = {
    ...given('from', from && DATE.test(from) ? `${from}T00:00:00.000Z` : from),
    ...given('to', to && DATE.test(to) ? `${to}T23:59:59.999Z` : to),
  };
  return {
    query,
    // The explanation also says which words to mark, so it is always asked for.
    explain: true,
    ...(kinds.length === 0 ? {} : { kinds: [...kinds] }),
    ...given('job_seed', job),
    ...given('session_id', session),
    ...given('space', space),
    ...(Object.keys(window).length === 0 ? {} : { time_window: window }),
    ...given('as_of', as_of),
    ...given('ranking_version', ranking),
    max_results: max ?? 20,
  };
}
