import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { given } from '../data/search-params';
import { useHeldState } from './held-votes-provider';
import { arranged, type QueueCounts, withoutRows } from './queue-rows';
import type { QueueSearch } from './queue-search';
import { queueOptions } from './requests-data';

const NOTHING_HELD = { ids: new Set<string>(), returned: [] } as const;

/** The queue as it is shown: without the requests whose votes are held, in its order and groups. */
export function useQueue(search: QueueSearch) {
  const moment = useMoment();
  const isPast = moment.at !== undefined;
  const query = useInfiniteQuery(queueOptions(useMace(), search, moment));
  const held = useHeldState();
  const { ids, returned } = isPast ? NOTHING_HELD : held;
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const pages = useMemo(() => withoutRows(data?.pages ?? [], ids), [data, ids]);
  const { group, status } = search;
  // The queue of a moment has one order, in which it comes.
  const order = isPast ? 'oldest' : search.order;
  const rows = useMemo(() => {
    const back = new Set(returned.map(({ request_id }) => request_id));
    const all = pages.flatMap((page) => page.action_requests);
    return arranged(all, given({ group, order, status }), back);
  }, [pages, group, order, status, returned]);
  // A group is whole only with all pages; and a page of requests that would be refused may be empty.
  const needsMore = hasNextPage && (group !== undefined || rows.length === 0);
  useEffect(() => {
    if (needsMore && !isFetching) void fetchNextPage();
  }, [needsMore, isFetching, fetchNextPage]);
  const counts = pages[0]?.counts;
  const total = hasNextPage ? countIn(counts, search) : rows.length;
  return { query, rows, counts, total, isStillEmpty: hasNextPage && rows.length === 0 };
}

/** The number of requests that the filters select; undefined if the service does not count them. */
function countIn(counts: QueueCounts | undefined, search: QueueSearch): number | undefined {
  const { status = 'pending', risk, refused } = search;
  if (refused !== undefined) return undefined;
  return risk === undefined ? counts?.by_status[status] : counts?.by_risk?.[risk];
}
