import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ActionRequest, ActionRequestListing, MaceClient } from '#client/index.js';
import { filtersOf, listFilterOf, type QueueSearch } from './queue-search';

/** The number of requests on one page of the queue. */
const PAGE = 100;
/** The queue, an open request and its dossier are read again after this many ms. */
const QUEUE_INTERVAL_MS = 15_000;
const REQUEST_INTERVAL_MS = 5_000;
const DOSSIER_INTERVAL_MS = 15_000;

const queueKey = (search: QueueSearch) => ['requests', 'queue', filtersOf(search)] as const;

/** The queue, page by page; the first page brings the counts. */
export const queueOptions = (mace: MaceClient, search: QueueSearch) =>
  infiniteQueryOptions({
    queryKey: queueKey(search),
    queryFn: ({ signal, pageParam }) =>
      mace.actionRequests.list(
        {
          ...listFilterOf(search),
          ...{ limit: PAGE },
          ...(pageParam === undefined ? { counts: 'true' as const } : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: QUEUE_INTERVAL_MS,
  });

export const requestOptions = (mace: MaceClient, id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => mace.actionRequests.get(id, { signal }),
    refetchInterval: REQUEST_INTERVAL_MS,
  });

/** What a reviewer needs beside the request: facts, evidence, and what has changed. */
export const dossierOptions = (mace: MaceClient, id: string) =>
  queryOptions({
    queryKey: ['requests', 'dossier', id],
    queryFn: ({ signal }) => mace.actionRequests.dossier(id, { signal }),
    refetchInterval: DOSSIER_INTERVAL_MS,
  });

/** Reads a request ahead, so that it is shown at once when the reviewer comes to it. */
export function prefetchRequest(queries: QueryClient, mace: MaceClient, id: string): void {
  void queries.prefetchQuery(requestOptions(mace, id));
  void queries.prefetchQuery(dossierOptions(mace, id));
}

/** Puts a changed request into the cache. */
export const keepRequest = (queries: QueryClient, request: ActionRequest): void =>
  void queries.setQueryData<ActionRequest>(['requests', 'one', request.request_id], request);

/** Takes requests off the cached queues of pending requests. The next read of the queue confirms it. */
export function dropFromQueues(queries: QueryClient, ids: readonly string[]): void {
  const dropped = new Set(ids);
  const lists = queries.getQueryCache().findAll({ queryKey: ['requests', 'queue'] });
  for (const { queryKey } of lists) {
    if ((queryKey[2] as QueueSearch | undefined)?.status !== undefined) continue;
    queries.setQueryData<QueuePages>(queryKey, (data) => data && withoutRows(data, dropped));
  }
}

interface QueuePages {
  readonly pages: readonly { readonly action_requests: readonly ActionRequestListing[] }[];
  readonly pageParams: readonly unknown[];
}

const withoutRows = (data: QueuePages, dropped: ReadonlySet<string>): QueuePages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    action_requests: page.action_requests.filter(({ request_id }) => !dropped.has(request_id)),
  })),
});

/** The requests around one in the queue. */
export interface Neighbours {
  readonly isListed: boolean;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Returns the requests before and after one in the queue. After one that is not there comes the first. */
export function neighboursOf(rows: readonly ActionRequestListing[], id: string): Neighbours {
  const at = rows.findIndex(({ request_id }) => request_id === id);
  return {
    isListed: at >= 0,
    previous: at > 0 ? rows[at - 1]?.request_id : undefined,
    next: rows[at + 1]?.request_id,
  };
}
