import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { PageHeader } from '../ui/page-header';
import { useKeyList } from '../keys/keys-help';
import { PAST_REQUEST_KEYS, REQUEST_KEYS, WAY_KEYS } from './key-tables';
import { PastRequest } from './past-request';
import { queueSearchOf } from './queue-search';
import { RequestReview } from './request-review';
import { QueuePlace } from './queue-place';
import { dossierOptions, requestOptions, useLiveQueue, useLiveRequest } from './requests-data';
import { ReviewLayout } from './review-layout';
import { useKeys } from '../keys/use-keys';
import { useWay } from './use-way';

const route = getRouteApi('/shell/requests/$id');

/** One request. The next one of the queue is read ahead. */
export function RequestPage() {
  const { id } = route.useParams();
  const mace = useMace();
  const moment = useMoment();
  const isPast = moment.at !== undefined;
  const request = useQuery(requestOptions(mace, id, moment));
  const dossier = useQuery({ ...dossierOptions(mace, id), enabled: !isPast });
  useLiveQueue();
  useLiveRequest(id, request.data);
  const { risk, place, toNext, toFollowing, toPrevious, toQueue } = useWay(id);
  useKeyList(isPast ? PAST_REQUEST_KEYS : REQUEST_KEYS);
  useKeys(WAY_KEYS, {
    ...{ next: toFollowing, previous: toPrevious, queue: toQueue },
    folded: toggleFolded,
  });
  const back = (
    <>
      <QueuePlace place={place} />
      <BackToQueue />
    </>
  );
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
      ) : isPast ? (
        <PastRequest key={`${id} ${moment.at}`} request={request.data} back={back} />
      ) : (
        <RequestReview
          key={id}
          current={request.data}
          dossier={dossier}
          risk={dossier.data?.risk ?? risk}
          onSent={toNext}
          back={back}
        />
      )}
    </>
  );
}

/** Opens every folded part of the page; closes them all if they are open. A folded form stays as it is. */
function toggleFolded(): void {
  const parts = [...document.querySelectorAll<HTMLDetailsElement>('main details:not(:has(form))')];
  const opens = parts.some(({ open }) => !open);
  for (const part of parts) part.open = opens;
}

function BackToQueue() {
  const { id } = route.useParams();
  const search = route.useSearch({ select: queueSearchOf });
  return (
    <Link to="/requests" search={{ ...search, at: id }}>
      Back to the queue
    </Link>
  );
}
