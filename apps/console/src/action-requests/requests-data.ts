import { withheldOf } from '#domain/privacy/withheld.js';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ActionRequest, ActionRequestListing, MaceClient } from '#client/index.js';
import { given } from '../data/search-params';
import { useLive } from '../live/live';
import type { Moment } from '../moment/use-moment';
import { type QueuePart, withoutRows } from './queue-rows';
import { filtersOf, listFilterOf, pastFilterOf, type QueueSearch } from './queue-search';

/** The number of requests on one page of the queue. */
const PAGE = 100;

const QUEUE = ['requests', 'queue'] as const;
/** Begins the keys of reads of the past, which a change of the present queue must not read again. */
const PAST = ['requests', 'past'] as const;

const queueKey = (search: QueueSearch, { at }: Moment) =>
  at === undefined
    ? ([...QUEUE, filtersOf(search)] as const)
    : ([...PAST, 'queue', pastFilterOf(search, at)] as const);

/** The queue, page by page; the first page of the present brings the counts. */
export const queueOptions = (mace: MaceClient, search: QueueSearch, moment: Moment) =>
  infiniteQueryOptions({
    queryKey: queueKey(search, moment),
    queryFn: ({ signal, pageParam }) =>
      mace.actionRequests.list(
        { ...pageFilterOf(search, moment, pageParam), limit: PAGE },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

function pageFilterOf(search: QueueSearch, { at }: Moment, cursor: string | undefined) {
  const rest = given({ cursor });
  if (at !== undefined) return { ...pastFilterOf(search, at), ...rest };
  return {
    ...listFilterOf(search),
    ...(cursor === undefined ? { counts: 'true' as const } : rest),
  };
}

export const requestOptions = (mace: MaceClient, id: string, moment: Moment = {}) =>
  queryOptions({
    queryKey: moment.at === undefined ? ['requests', 'one', id] : [...PAST, 'one', id, moment.at],
    queryFn: ({ signal }) => mace.actionRequests.get(id, { ...moment, signal }),
  });

/** What a reviewer needs beside the request: facts, evidence, and what has changed. */
export const dossierOptions = (mace: MaceClient, id: string) =>
  queryOptions({
    queryKey: ['requests', 'dossier', id],
    queryFn: ({ signal }) => mace.actionRequests.dossier(id, { signal }),
  });

/** Keeps the queue as the log has it. */
export const useLiveQueue = (): void => useLive(['request'], QUEUE);

/**
 * Keeps a request and its dossier as the log has them. Events of other requests can change the dossier
 * too; those changes appear when the request is opened again.
 */
export function useLiveRequest(id: string, request: ActionRequest | undefined): void {
  useLive([`request-${id}`], ['requests', 'one', id]);
  const rests = checkedStreams(request === undefined ? [] : [request]);
  useLive([`request-${id}`, ...rests], ['requests', 'dossier', id]);
}

type Checked = Pick<ActionRequestListing, 'kind' | 'target_sem_key' | 'value'>;

/** The streams on which the check of waiting requests rests: their facts and, for personal data, the consents. */
export function checkedStreams(requests: readonly Checked[]): readonly string[] {
  const facts = requests.flatMap(({ target_sem_key: key }) => (key === null ? [] : [`sem-${key}`]));
  return requests.some(needsConsent) ? [...facts, 'consent'] : facts;
}

const needsConsent = ({ kind, value }: Checked): boolean =>
  kind === 'sensitive_consent' || withheldOf(value)?.state === 'redacted';

/** Reads a request ahead, so that it is shown at once when the reviewer comes to it. */
export function prefetchRequest(queries: QueryClient, mace: MaceClient, id: string): void {
  void queries.prefetchQuery(requestOptions(mace, id));
  void queries.prefetchQuery(dossierOptions(mace, id));
}

/** Keeps a request as an answer of the service has it, also its row in the queues. */
export function keepRequest(queries: QueryClient, request: ActionRequest): void {
  queries.setQueryData<ActionRequest>(['requests', 'one', request.request_id], request);
  const { request_id, proposal_hash, value, revised, awaits_answer, earlier_versions } = request;
  const changed = { proposal_hash, value, awaits_answer, editor: revised?.editor ?? null };
  changeQueues(queries, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      action_requests: page.action_requests.map((row) =>
        row.request_id === request_id
          ? { ...row, ...changed, revisions: earlier_versions.length }
          : row,
      ),
    })),
  }));
}

/** Reads requests again whose votes were refused, and the queues in which they wait. */
export function readAgain(
  queries: QueryClient,
  requests: readonly { readonly request_id: string }[],
): void {
  for (const { request_id } of requests)
    for (const part of ['one', 'dossier'])
      void queries.invalidateQueries({ queryKey: ['requests', part, request_id] });
  void queries.invalidateQueries({ queryKey: QUEUE });
}

/**
 * Takes requests off the cached queues of pending requests. The next read of the queue confirms it; a read that has
 * begun is ended, because it would bring them back.
 */
export function dropFromQueues(queries: QueryClient, ids: readonly string[]): void {
  const dropped = new Set(ids);
  changeQueues(queries, (data) => ({ ...data, pages: withoutRows(data.pages, dropped) }));
}

interface QueuePages {
  readonly pages: readonly QueuePart[];
  readonly pageParams: readonly unknown[];
}

function changeQueues(queries: QueryClient, change: (data: QueuePages) => QueuePages): void {
  const lists = queries.getQueryCache().findAll({ queryKey: QUEUE });
  for (const { queryKey, state } of lists) {
    const { status = 'pending' } = (queryKey[2] as QueueSearch | undefined) ?? {};
    if (status !== 'pending') continue;
    if (state.data !== undefined) void queries.cancelQueries({ queryKey, exact: true });
    queries.setQueryData<QueuePages>(queryKey, (data) => data && change(data));
  }
}
