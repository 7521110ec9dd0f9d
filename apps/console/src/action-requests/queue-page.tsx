import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { KeyHint } from '../keys/key-hint';
import { KeysButton, useKeyList } from '../keys/keys-help';
import { useMoment } from '../moment/use-moment';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { SampleHint } from '../ui/sample-hint';
import { ApproveManyDialog } from './approve-many-dialog';
import { BULK_KEYS, QUEUE_KEYS } from './key-tables';
import { LastDecision } from './last-decision';
import { QueueFilters } from './queue-filters';
import { QueueList } from './queue-list';
import type { QueueCounts } from './queue-rows';
import { queueSearchOf } from './queue-search';
import { RejectManyDialog } from './reject-many-dialog';
import { useLiveQueue } from './requests-data';
import { ReturnedVotes } from './returned-votes';
import { useKeys } from '../keys/use-keys';
import { useQueue } from './use-queue';
import { useSelection, type Selection } from './use-selection';
import styles from './queue.module.css';

const route = getRouteApi('/shell/requests');

/** What waits for the council, worked by keyboard. */
export function QueuePage() {
  const search = route.useSearch({ select: queueSearchOf });
  const isPast = useMoment().at !== undefined;
  const mayDecide = hasRole(useSession(), 'council', 'admin') && !isPast;
  const { query: queue, rows, counts, total, isStillEmpty } = useQueue(search);
  useLiveQueue();
  useKeyList(QUEUE_KEYS);
  const selection = useSelection(rows);
  return (
    <div className={styles.page}>
      <PageHeader title="Requests" about={isPast ? PAST : aboutOf(counts, mayDecide)} isDense>
        <Link to="/requests/figures">Figures</Link>
        <KeysButton />
      </PageHeader>
      {!isPast && <LastDecision />}
      {!isPast && <ReturnedVotes />}
      <QueueFilters search={search} counts={counts} />
      {queue.error !== null && (
        <ErrorNotice error={queue.error} retry={() => void queue.refetch()} />
      )}
      {(queue.isPending || isStillEmpty) && <Loading what="the requests" />}
      {queue.isSuccess && rows.length === 0 && !isStillEmpty && (
        <NothingHere search={search} counts={counts} isPast={isPast} />
      )}
      {rows.length > 0 && (
        <QueueList
          {...{ rows, search, mayDecide, selection, total }}
          onNearEnd={() => {
            if (queue.hasNextPage && !queue.isFetching) void queue.fetchNextPage();
          }}
        />
      )}
      {mayDecide && <BulkBar selection={selection} />}
    </div>
  );
}

const PAST = 'What agents and users had proposed by then, newest first.';

function aboutOf(counts: QueueCounts | undefined, mayDecide: boolean): string {
  if (counts === undefined) return 'What agents and users propose, by deadline and risk.';
  const high = counts.by_risk?.['high'] ?? 0;
  const pending = counts.by_status['pending'] ?? 0;
  const words = `${pending} pending${high === 0 ? '' : `, ${high} of high risk`}.`;
  return mayDecide ? words : `${words} You can read, but not decide.`;
}

interface NothingHereProps {
  readonly search: object;
  readonly counts: QueueCounts | undefined;
  readonly isPast: boolean;
}

function NothingHere({ search, counts, isPast }: NothingHereProps) {
  const all = Object.values(counts?.by_status ?? {}).reduce((sum, count) => sum + count, 0);
  const isFiltered = Object.keys(search).some((name) => name !== 'at' && name !== 'group');
  if (isPast && !isFiltered) return <Message title="Nothing waited for a decision then" />;
  return isFiltered ? (
    <Message title="No request matches these filters">
      <Link to="/requests">Show all that wait</Link>
    </Message>
  ) : (
    <Message title="Nothing waits for your decision" kind="good">
      <p>New requests appear here by themselves.</p>
      {all === 0 && <SampleHint />}
    </Message>
  );
}

/** What can be done with the selected requests. */
function BulkBar({ selection }: { readonly selection: Selection }) {
  const [opened, open] = useState<'approve' | 'reject'>();
  const { rows, clear } = selection;
  const hasRows = rows.length > 0;
  useKeys(BULK_KEYS, {
    approve: hasRows ? () => open('approve') : undefined,
    reject: hasRows ? () => open('reject') : undefined,
    clear: hasRows ? clear : undefined,
  });
  const close = (): void => open(undefined);
  return (
    <>
      {hasRows && (
        <section className={styles.bulk} aria-label="Selected requests">
          <strong>{rows.length} selected</strong>
          <Button kind="danger" onClick={() => open('reject')}>
            Reject them … <KeyHint of={BULK_KEYS.reject} />
          </Button>
          <Button onClick={() => open('approve')}>
            Approve them … <KeyHint of={BULK_KEYS.approve} />
          </Button>
          <Button kind="quiet" onClick={clear}>
            Clear <KeyHint of={BULK_KEYS.clear} />
          </Button>
        </section>
      )}
      {opened === 'approve' && <ApproveManyDialog rows={rows} onClose={close} />}
      {opened === 'reject' && <RejectManyDialog rows={rows} onClose={close} />}
    </>
  );
}
