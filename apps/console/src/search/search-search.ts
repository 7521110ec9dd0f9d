import type { SearchRequest } from '#client/index.js';
import type { Moment } from '../moment/use-moment';
import { given, oneOf, textIn } from '../data/search-params';

export const SEARCH_KINDS = ['fact', 'episode', 'memory_item', 'note', 'wm', 'cwm'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

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
  /** When it was written, by the clock: ISO 8601 dates or instants, or a word of `DAYS`. */
  readonly from?: string;
  readonly to?: string;
  /** The position in the log at which memory is searched. */
  readonly as_of?: string;
  readonly ranking?: 1 | 2;
  readonly max?: number;
  readonly explain?: true;
}

const kindsIn = (text: string | undefined): SearchKind[] => {
  const names = (text ?? '').split(',');
  return SEARCH_KINDS.filter((kind) => names.includes(kind));
};

export function searchSearchOf(search: Record<string, unknown>): SearchSearch {
  const max = Number(search['max']);
  return given({
    q: textIn(search['q']),
    kinds: textIn(kindsIn(textIn(search['kinds'])).join(',')),
    job: textIn(search['job']),
    session: textIn(search['session']),
    space: oneOf(SPACES, search['space']),
    from: textIn(search['from']),
    to: textIn(search['to']),
    as_of: textIn(search['as_of']),
    ranking: oneOf([1, 2] as const, Number(search['ranking'])),
    max: Number.isInteger(max) && max >= 1 && max <= 100 ? max : undefined,
    explain: oneOf([true] as const, search['explain']),
  });
}

/** Returns the kinds that a search is limited to; none means all. */
export const kindsOf = ({ kinds }: SearchSearch): readonly SearchKind[] => kindsIn(kinds);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** The words for days, each with how many days ago it was. Days are in UTC, as the times on the page are. */
const DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };
const DAY_MS = 86_400_000;

/** Returns a time as the service takes it. @param clock the moment of a day that a date stands for */
function timeIn(text: string | undefined, clock: string, now: Date): string | undefined {
  const ago = DAYS[text?.toLowerCase() ?? ''];
  const day =
    ago === undefined ? text : new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  return day !== undefined && DATE.test(day) ? `${day}T${clock}Z` : day;
}

/**
 * Returns the request of a search. A date begins at its first moment, and ends at its last. The moment of the page comes
 * before a position of the log.
 */
export function requestOf(
  search: SearchSearch & { readonly q: string },
  { at }: Moment,
  now = new Date(),
): SearchRequest {
  const { q: query, job, session, space, from, to, as_of, ranking, max } = search;
  const kinds = kindsOf(search);
  const window = given({
    from: timeIn(from, '00:00:00.000', now),
    to: timeIn(to, '23:59:59.999', now),
  });
  return {
    query,
    // The explanation also says which words to mark, so it is always asked for.
    explain: true,
    ...given({
      kinds: kinds.length === 0 ? undefined : [...kinds],
      ...{ job_seed: job, session_id: session, space, ranking_version: ranking },
      ...(at === undefined ? { as_of } : { at }),
      recorded_window: Object.keys(window).length === 0 ? undefined : window,
    }),
    max_results: max ?? 20,
  };
}
