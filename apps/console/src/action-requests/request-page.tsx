import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { PageHeader } from '../ui/page-header';
import { KeysDialog } from './keys-dialog';
import { RequestReview } from './request-review';
import { ReviewLayout } from './review-layout';
import {
  dossierOptions,
  type Neighbours,
  neighboursOf,
  prefetchRequest,
  queueOptions,
  requestOptions,
  useLiveQueue,
  useLiveRequest,
} from './requests-data';
import { useKeys } from './use-keys';

const route = getRouteApi('/shell/requests/$id');

/** One request. The next one of the queue is read ahead. */
export function RequestPage() {
  const { id } = route.useParams();
  const mace = useMace();
  const request = useQuery(requestOptions(mace, id));
  const dossier = useQuery(dossierOptions(mace, id));
  useLiveQueue();
  useLiveRequest(id, request.data);
  const { risk, toNext, toPrevious, toQueue } = useWay(id);
  const [showsKeys, showKeys] = useState(false);
  useKeys({ j: toNext, k: toPrevious, u: toQueue, '?': () => showKeys(true) });
  return (
    <>
      {request.error !== null && (
        <ErrorNotice error={request.error} retry={() => void request.refetch()} />
      )}
      {request.data === undefined ? (
        <ReviewLayout>
          <PageHeader title="Request">
            <BackToQueue />
          </PageHeader>
          {request.isPending && <Loading what="the request" />}
        </ReviewLayout>
      ) : (
        <RequestReview
          key={id}
          current={request.data}
          dossier={dossier}
          risk={dossier.data?.risk ?? risk}
          onSent={toNext}
          back={<BackToQueue />}
          onHelp={() => showKeys(true)}
        />
      )}
      {showsKeys && <KeysDialog onClose={() => showKeys(false)} />}
    </>
  );
}

function BackToQueue() {
  const { id } = route.useParams();
  const search = route.useSearch();
  return (
    <Link to="/requests" search={{ ...search, at: id }}>
      Back to the queue
    </Link>
  );
}

/** The ways from a request: to its neighbours in the queue, and back to the queue. */
function useWay(id: string) {
  const search = route.useSearch();
  const mace = useMace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    queueOptions(mace, search),
  );
  const rows = useMemo(() => data?.pages.flatMap((page) => page.action_requests) ?? [], [data]);
  const found = useMemo(() => neighboursOf(rows, id), [rows, id]);
  const { previous, next } = useKeptNeighbours(found, id);
  useEffect(() => {
    if (next !== undefined) prefetchRequest(queries, mace, next);
    else if (hasNextPage && !isFetching) void fetchNextPage();
  }, [queries, mace, next, hasNextPage, isFetching, fetchNextPage]);
  const toQueue = (): void => void navigate({ to: '/requests', search: { ...search, at: id } });
  const to = (other: string | undefined) => (): void =>
    other === undefined
      ? toQueue()
      : void navigate({ to: '/requests/$id', params: { id: other }, search });
  const risk = rows.find(({ request_id }) => request_id === id)?.risk ?? null;
  return { risk, toNext: to(next), toPrevious: to(previous), toQueue };
}

/**
 * Keeps the neighbours that a request had, because the queue drops a request when it is decided: by the answer, or
 * by the events of others, whichever comes first.
 */
function useKeptNeighbours(found: Neighbours, id: string): Neighbours {
  const [kept, keep] = useState({ id, ways: found });
  const ways = found.isListed || kept.id !== id || !kept.ways.isListed ? found : kept.ways;
  if (kept.id !== id || kept.ways !== ways) keep({ id, ways });
  return ways;
}
