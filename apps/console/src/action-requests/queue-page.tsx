import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { SampleHint } from '../ui/sample-hint';
import { ApproveManyDialog } from './approve-many-dialog';
import { KeysDialog } from './keys-dialog';
import { LastDecision } from './last-decision';
import { QueueFilters } from './queue-filters';
import { QueueList } from './queue-list';
import { RejectManyDialog } from './reject-many-dialog';
import { queueOptions, useLiveQueue } from './requests-data';
import { useKeys } from './use-keys';
import { useSelection, type Selection } from './use-selection';
import styles from './queue.module.css';

const route = getRouteApi('/shell/requests');

/** What waits for the council, worked by keyboard. */
export function QueuePage() {
  const search = route.useSearch();
  const mace = useMace();
  const mayDecide = hasRole(useSession(), 'council', 'admin');
  const queue = useInfiniteQuery(queueOptions(mace, search));
  useLiveQueue();
  const [showsKeys, showKeys] = useState(false);
  const { hasNextPage, isFetching, fetchNextPage } = queue;
  const isStillEmpty = hasNextPage && rowsOf(queue.data?.pages).length === 0;
  useEffect(() => {
    // A page of requests that would be refused may be empty, although the next one is not.
    if (isStillEmpty && !isFetching) void fetchNextPage();
  }, [isStillEmpty, isFetching, fetchNextPage]);
  const pages = queue.data?.pages;
  const rows = useMemo(() => rowsOf(pages), [pages]);
  const selection = useSelection(rows);
  const counts = pages?.[0]?.counts;
  return (
    <>
      <PageHeader title="Requests" about={aboutOf(counts, mayDecide)}>
        <Link to="/requests/figures">Figures</Link>
        <Button onClick={() => showKeys(true)}>
          Keys <kbd>?</kbd>
        </Button>
      </PageHeader>
      <LastDecision />
      <QueueFilters search={search} counts={counts} />
      {queue.error !== null && (
        <ErrorNotice error={queue.error} retry={() => void queue.refetch()} />
      )}
      {(queue.isPending || isStillEmpty) && <Loading what="the requests" />}
      {queue.isSuccess && rows.length === 0 && !isStillEmpty && (
        <NothingHere search={search} counts={counts} />
      )}
      {mayDecide && <BulkBar selection={selection} />}
      {rows.length > 0 && (
        <QueueList
          {...{ rows, search, mayDecide, selection }}
          total={queue.hasNextPage ? undefined : rows.length}
          onNearEnd={() => {
            if (queue.hasNextPage && !queue.isFetching) void queue.fetchNextPage();
          }}
          onHelp={() => showKeys(true)}
        />
      )}
      {showsKeys && <KeysDialog onClose={() => showKeys(false)} />}
    </>
  );
}

type Pages = readonly { readonly action_requests: readonly ActionRequestListing[] }[] | undefined;

const rowsOf = (pages: Pages): readonly ActionRequestListing[] =>
  pages?.flatMap((page) => page.action_requests) ?? [];

type Counts = Awaited<ReturnType<ReturnType<typeof useMace>['actionRequests']['list']>>['counts'];

function aboutOf(counts: Counts, mayDecide: boolean): string {
  if (counts === undefined) return 'What agents and users propose, by deadline and risk.';
  const high = counts.by_risk?.['high'] ?? 0;
  const pending = counts.by_status['pending'] ?? 0;
  const words = `${pending} pending${high === 0 ? '' : `, ${high} of high risk`}.`;
  return mayDecide ? words : `${words} You can read, but not decide.`;
}

interface NothingHereProps {
  readonly search: object;
  readonly counts: Counts;
}

function NothingHere({ search, counts }: NothingHereProps) {
  const all = Object.values(counts?.by_status ?? {}).reduce((sum, count) => sum + count, 0);
  const isFiltered = Object.keys(search).some((name) => name !== 'at');
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
  useKeys({
    A: hasRows ? () => open('approve') : undefined,
    R: hasRows ? () => open('reject') : undefined,
    Escape: hasRows ? clear : undefined,
  });
  const close = (): void => open(undefined);
  return (
    <>
      {hasRows && (
        <section className={styles.bulk} aria-label="Selected requests">
          <strong>{rows.length} selected</strong>
          <Button kind="danger" onClick={() => open('reject')}>
            Reject them … <kbd>R</kbd>
          </Button>
          <Button onClick={() => open('approve')}>
            Approve them … <kbd>A</kbd>
          </Button>
          <Button kind="quiet" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </Button>
        </section>
      )}
      {opened === 'approve' && <ApproveManyDialog rows={rows} onClose={close} />}
      {opened === 'reject' && <RejectManyDialog rows={rows} onClose={close} />}
    </>
  );
}
