import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMoment } from '../moment/use-moment';
import { useMace, useSession } from '../session/session-provider';
import { nextToDecide } from './queue-rows';
import { queueSearchOf } from './queue-search';
import { prefetchRequest } from './requests-data';
import { useQueue } from './use-queue';

const route = getRouteApi('/shell/requests/$id');

/** The ways from a request: to its neighbours in the queue, to the next one to decide on, and back to the queue. */
export function useWay(id: string) {
  const search = route.useSearch({ select: queueSearchOf });
  const mace = useMace();
  const session = useSession();
  const isPast = useMoment().at !== undefined;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const { query, rows, total } = useQueue(search);
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const found = rows.findIndex(({ request_id }) => request_id === id);
  const place = useKeptPlace(found, id);
  // The request after one that has left the queue stands in its place.
  const after = found < 0 ? place : place + 1;
  const previous = rows[place - 1]?.request_id;
  const following = rows[after]?.request_id;
  const [next, afterNext] = nextToDecide(rows, after, id, session);
  useEffect(() => {
    if (isPast) return;
    // Two, because a vote does not wait for its answer, and so the next decision can follow at once.
    for (const ahead of [next, afterNext])
      if (ahead !== undefined) prefetchRequest(queries, mace, ahead);
  }, [queries, mace, next, afterNext, isPast]);
  useEffect(() => {
    if (following === undefined && hasNextPage && !isFetching) void fetchNextPage();
  }, [following, hasNextPage, isFetching, fetchNextPage]);
  useEffect(() => {
    // A held vote leads to the queue at once, also while the service that has the page is away.
    void router.preloadRoute({ to: '/requests' });
  }, [router]);
  const toQueue = (): void => void navigate({ to: '/requests', search: { ...search, at: id } });
  const to = (other: string | undefined) => (): void =>
    other === undefined
      ? toQueue()
      : void navigate({ to: '/requests/$id', params: { id: other }, search });
  return {
    risk: rows[found]?.risk ?? null,
    place: found < 0 ? undefined : { number: found + 1, total },
    ...{ toPrevious: to(previous), toFollowing: to(following), toNext: to(next), toQueue },
  };
}

/**
 * Keeps the place that a request had, because the queue drops a request when it is decided: by the answer, or by the
 * events of others, whichever comes first. A request that was never there stands before the first.
 */
function useKeptPlace(found: number, id: string): number {
  const [kept, keep] = useState({ id, place: Math.max(found, 0) });
  const place = found >= 0 ? found : kept.id === id ? kept.place : 0;
  if (kept.id !== id || kept.place !== place) keep({ id, place });
  return place;
}
