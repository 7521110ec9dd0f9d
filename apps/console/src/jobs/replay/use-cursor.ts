import { useCallback, useEffect, useRef, useState } from 'react';

/** How long in ms the cursor rests before the address of the page names its place. */
const REST_MS = 200;

export interface Cursor {
  /** The number of the event at the cursor. */
  readonly at: number;
  /** How the cursor came here: by a step of the reader, or during play. Only the first is read out. */
  readonly by: 'reader' | 'play';
  readonly move: (to: number, by?: 'reader' | 'play') => void;
  /** True if the cursor stays at the job's last event, also when new events come. */
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
}

/**
 * The one cursor of a replay. It moves at once; the address names its place when it rests.
 * @param named the place that the address names; undefined for the last event
 */
export function useCursor(
  named: number | undefined,
  last: number,
  name: (at: number | undefined) => void,
): Cursor {
  const [place, setPlace] = useState<{ at: number | undefined; by: Cursor['by'] }>({
    ...{ at: named, by: 'reader' },
  });
  const saved = useRef(named);
  const save = useRef(name);
  save.current = name;
  useEffect(() => {
    // The reader went back or forward in the browser, or opened a link.
    if (named === saved.current) return;
    saved.current = named;
    setPlace({ at: named, by: 'reader' });
  }, [named]);
  useEffect(() => {
    if (place.at === saved.current) return;
    const rest = setTimeout(() => {
      saved.current = place.at;
      save.current(place.at);
    }, REST_MS);
    return () => clearTimeout(rest);
  }, [place]);
  const move = useCallback(
    (to: number, by: Cursor['by'] = 'reader') =>
      setPlace({ at: Math.min(Math.max(0, Math.trunc(to)), last), by }),
    [last],
  );
  const follow = useCallback(
    (isFollowing: boolean) => setPlace({ at: isFollowing ? undefined : last, by: 'reader' }),
    [last],
  );
  const at = Math.min(place.at ?? last, last);
  return { at, by: place.by, move, isFollowing: place.at === undefined, follow };
}
