import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { PageHeader } from '../ui/page-header';
import { KeysDialog } from './keys-dialog';
import { RequestReview } from './request-review';
import { QueuePlace } from './queue-place';
import { dossierOptions, requestOptions, useLiveQueue, useLiveRequest } from './requests-data';
import { ReviewLayout } from './review-layout';
import { useKeys } from './use-keys';
import { useWay } from './use-way';

const route = getRouteApi('/shell/requests/$id');

/** One request. The next one of the queue is read ahead. */
export function RequestPage() {
  const { id } = route.useParams();
  const mace = useMace();
  const request = useQuery(requestOptions(mace, id));
  const dossier = useQuery(dossierOptions(mace, id));
  useLiveQueue();
  useLiveRequest(id, request.data);
  const { risk, place, toNext, toFollowing, toPrevious, toQueue } = useWay(id);
  const [showsKeys, showKeys] = useState(false);
  useKeys({ j: toFollowing, k: toPrevious, u: toQueue, '?': () => showKeys(true) });
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
          back={
            <>
              <QueuePlace place={place} />
              <BackToQueue />
            </>
          }
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
