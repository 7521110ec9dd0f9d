import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { useMace } from '../session/session-provider';
import { LiveFeed } from './live-feed';

const LiveContext = createContext<LiveFeed | undefined>(undefined);

interface LiveProps {
  /** False while nobody is signed in with a valid token. */
  readonly isOn: boolean;
  readonly children: ReactNode;
}

/** Keeps what the pages below show up to date. While the tab is hidden, it asks for nothing. */
export function Live({ isOn, children }: LiveProps) {
  const mace = useMace();
  const feed = useMemo(() => new LiveFeed(mace), [mace]);
  useEffect(() => {
    if (!isOn) return undefined;
    const follow = (): void => {
      if (document.hidden) return feed.stop();
      feed.refreshAll();
      feed.start();
    };
    feed.start();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      feed.stop();
    };
  }, [feed, isOn]);
  return <LiveContext value={feed}>{children}</LiveContext>;
}

/**
 * Reads the queries below a key again when events of these streams come, for example
 * `useLive(['request', 'sem-world/colour/sky/name'], ['requests'])`: a name without `-` is a category of streams. The
 * reader must be allowed to follow each category (docs/events.md).
 */
export function useLive(streams: readonly string[], queryKey: QueryKey): void {
  const feed = use(LiveContext);
  const queries = useQueryClient();
  const watched = JSON.stringify({ streams, queryKey });
  useEffect(() => {
    const watch = JSON.parse(watched) as { streams: string[]; queryKey: QueryKey };
    const { queryKey: key } = watch;
    return feed?.watch({
      streams: watch.streams,
      // A read that has begun is not begun again: it would never end if events came faster than it.
      refresh: () => void queries.invalidateQueries({ queryKey: key }, { cancelRefetch: false }),
    });
  }, [feed, queries, watched]);
}
