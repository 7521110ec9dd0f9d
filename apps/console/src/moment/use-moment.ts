import { useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { momentSearchOf } from './moment-search';

/** The moment of a read, for its query and the key of its query: empty for the present. */
export interface Moment {
  readonly at?: string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** True for a page that can show memory as it was at a moment. */
    readonly hasPast?: true;
  }
}

/** Returns the moment that the address names, also on a page that shows the present. */
export const useChosenMoment = (): string | undefined =>
  useSearch({ from: '__root__', select: ({ moment }) => moment?.toString() });

export const useHasPast = (): boolean =>
  useMatches({ select: (matches) => matches.at(-1)?.staticData.hasPast === true });

/** Returns the moment that the page shows. */
export function useMoment(): Moment {
  const chosen = useMomentOfLinks();
  return useHasPast() ? chosen : {};
}

/** Returns the moment that a page with a past shows to which a link leads, also from a page that shows the present. */
export function useMomentOfLinks(): Moment {
  const at = useChosenMoment();
  return at === undefined ? {} : { at };
}

/** Returns what shows another moment on the same page; undefined stands for the present. */
export function useShowMoment(): (moment: string | undefined) => void {
  const navigate = useNavigate();
  return (moment) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, moment: momentSearchOf({ moment }).moment }),
      resetScroll: false,
    });
}
