import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MaceClient } from '#client/index.js';
import { useMoment } from '../moment/use-moment';
import { useMace, useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { VisibleText } from '../ui/visible-text';
import { ExportButton } from './export-button';
import type { JobRecord } from './record/job-record';
import { recordUpTo } from './record/record-up-to';
import { eventsQuery, timelineQuery } from './record/use-record';
import { type Check, CheckBanner } from './replay/replay-banner';
import { replaySearchOf } from './replay/replay-search';
import { ReplayView } from './replay/replay-view';
import styles from './replay/replay.module.css';
import { hasEnded, useFollow } from './use-follow';

function serviceRecord(mace: MaceClient, seed: string): JobRecord {
  const job = mace.job(seed);
  return {
    id: `service ${seed}`,
    timeline: (signal) => job.timeline({ signal }),
    events: (asked, signal) => job.events(asked, { signal }),
    stateAfter: (number, signal) => job.stateAfter(number, { signal }),
    plainEvent: (number, signal) => job.plainEvent(number, { signal }),
    service: {
      seed,
      unredactedAfter: async (version, options) => {
        const { wm, cwm } = await job.get({ version, unredacted: 'true' }, options);
        return { wm, cwm: cwm.items };
      },
    },
  };
}

/** The events that the job had at a moment. */
function pastRecord(mace: MaceClient, seed: string, at: string): JobRecord {
  return recordUpTo({ ...serviceRecord(mace, seed), service: { seed } }, at, async (signal) => {
    const { version } = await mace.job(seed).get({ at }, { signal });
    return version;
  });
}

const route = getRouteApi('/shell/jobs/$seed');

export function JobPage() {
  const { seed } = route.useParams();
  const search = route.useSearch({ select: replaySearchOf });
  const navigate = useNavigate();
  const mace = useMace();
  const { at } = useMoment();
  const record = useMemo(
    () => (at === undefined ? serviceRecord(mace, seed) : pastRecord(mace, seed, at)),
    [mace, seed, at],
  );
  const { data: timeline, isLoadingError } = useQuery(timelineQuery(record));
  useFollow(mace, record, seed, at === undefined ? timeline : undefined);
  const check = useCheck(seed);
  return (
    <>
      <PageHeader title={`Job ${seed}`} about={<About record={record} />}>
        {!isLoadingError && at === undefined && (
          <>
            <Button kind="primary" disabled={check.isPending} onClick={() => check.mutate()}>
              {check.isPending ? 'Replaying …' : 'Replay'}
            </Button>
            <ExportButton seed={seed} />
          </>
        )}
      </PageHeader>
      <ReplayView
        key={record.id}
        record={record}
        search={search}
        isLive={at === undefined && timeline !== undefined && !hasEnded(timeline)}
        show={(next) =>
          void navigate({
            ...{ to: '/jobs/$seed', params: { seed }, search: next },
            ...{ replace: true, resetScroll: false },
          })
        }
      >
        {({ move }) =>
          at !== undefined ? null : check.data === undefined ? (
            <NotChecked isPending={check.isPending} error={check.error} />
          ) : (
            <CheckBanner check={check.data} last={timeline?.version ?? 0} move={move} />
          )
        }
      </ReplayView>
    </>
  );
}

/** Replays the job in the service, when the reader asks for it. */
function useCheck(seed: string) {
  const mace = useMace();
  const { sub } = useSession();
  return useMutation({
    mutationKey: ['replay', seed],
    mutationFn: async (): Promise<Check> => {
      const report = await mace.job(seed).replay('audit');
      return { report, by: `${sub}, by the service`, at: new Date().toISOString() };
    },
  });
}

interface NotCheckedProps {
  readonly isPending: boolean;
  readonly error: unknown;
}

function NotChecked({ isPending, error }: NotCheckedProps) {
  if (isPending)
    return <Message title="○ Not checked yet">The service decides every event again …</Message>;
  if (error === null)
    return (
      <Message title="○ Not checked">
        Replay decides every event again from the recorded inputs, and compares.
      </Message>
    );
  return (
    <div className={styles.panelStack}>
      <Message title="○ Not checked">
        The replay did not come to an end, so it says nothing.
      </Message>
      <ErrorNotice error={error} />
    </div>
  );
}

/** The goal, the owner and the session, from the job's first event. */
function About({ record }: { readonly record: JobRecord }) {
  const first = useQuery(eventsQuery(record, { from: 0, limit: 1 })).data?.events[0];
  if (first === undefined) return null;
  const {
    goal,
    owner,
    session_id: session,
  } = first.data as {
    readonly goal?: string | null;
    readonly owner?: { readonly sub?: string };
    readonly session_id?: string | null;
  };
  return (
    <>
      <VisibleText text={goal ?? 'A job without a goal'} /> · started by{' '}
      <VisibleText text={owner?.sub ?? 'nobody'} />
      {typeof session === 'string' && (
        <>
          {' '}
          in session{' '}
          <Link to="/jobs" search={{ session }}>
            {session}
          </Link>
        </>
      )}
    </>
  );
}
