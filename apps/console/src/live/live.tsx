import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { reachInCategory } from '#domain/ownership/stream-access.js';
import { categoryOf } from '#domain/stream-names.js';
import { useMace, useSession } from '../session/session-provider';
import { useMoment } from '../moment/use-moment';
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
 * `useLive(['request', 'sem-world/colour/sky/name'], ['requests'])`: a name without `-` is a category of streams. If
 * the person gets no events of one of them, the queries are read again at intervals as well. A page that shows a moment
 * of the past follows nothing.
 */
export function useLive(streams: readonly string[], queryKey: QueryKey): void {
  const feed = use(LiveContext);
  const queries = useQueryClient();
  const { sub, roles } = useSession();
  const { at } = useMoment();
  const isPast = at !== undefined;
  const followed = streams.filter(
    (each) => reachInCategory({ sub, roles }, categoryOf(each)) !== 'none',
  );
  const isPolled = followed.length < streams.length;
  const watched = JSON.stringify({ streams: followed, queryKey });
  useEffect(() => {
    if (isPast) return undefined;
    const watch = JSON.parse(watched) as { streams: string[]; queryKey: QueryKey };
    return feed?.watch({
      streams: watch.streams,
      isPolled,
      refresh: () => void queries.invalidateQueries({ queryKey: watch.queryKey }),
    });
  }, [feed, queries, watched, isPolled, isPast]);
}
