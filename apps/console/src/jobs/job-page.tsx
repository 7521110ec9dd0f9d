import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { MaceClient } from '#client/index.js';
import { ExportMoment } from '../moment/export-moment';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { ExportButton } from './export-button';
import { JobHeader } from './job-header';
import type { JobRecord } from './record/job-record';
import { recordUpTo } from './record/record-up-to';
import { serviceRecord } from './record/service-record';
import { timelineQuery } from './record/use-record';
import { CheckBanner } from './replay/replay-banner';
import { SaveReport } from './replay/save-report';
import { replaySearchOf } from './replay/replay-search';
import { ReplayView } from './replay/replay-view';
import { useCheck } from './use-check';
import { hasEnded, useFollow } from './use-follow';
import { VerdictChip, verdictOf } from './verdict-chip';

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
  // What was found wrong is shown at once, and that all is well when the reader asks.
  const [isOpen = check.data?.report.identical === false, setOpen] = useState<boolean>();
  const replay = (): void => {
    setOpen(undefined);
    check.mutate();
  };
  return (
    <>
      <JobHeader {...{ seed, record, timeline, at }}>
        {!isLoadingError && at !== undefined && (
          <ExportMoment of={{ job_seed: seed }} words="Export with what it read" />
        )}
        {!isLoadingError && at === undefined && (
          <>
            {timeline !== undefined && (
              <VerdictChip
                verdict={verdictOf({
                  ...{ check: check.data, isPending: check.isPending, hasFailed: check.isError },
                  ...{ last: timeline.version, brokenAt: timeline.broken_at },
                })}
                isOpen={check.data === undefined ? undefined : isOpen}
                toggle={() => setOpen(!isOpen)}
              />
            )}
            <Button kind="primary" disabled={check.isPending} onClick={replay}>
              {check.isPending ? 'Replaying …' : 'Replay'}
            </Button>
            <ExportButton seed={seed} />
            <ExportMoment of={{ job_seed: seed }} words="Export with what it read" />
            <Link to="/jobs/compare" search={{ left: seed }}>
              Compare …
            </Link>
          </>
        )}
      </JobHeader>
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
        {({ move }) => (
          <>
            {at === undefined && check.isError && <ErrorNotice error={check.error} />}
            {at === undefined && check.data !== undefined && isOpen && (
              <CheckBanner check={check.data} last={timeline?.version ?? 0} move={move}>
                <SaveReport seed={seed} check={check.data} />
              </CheckBanner>
            )}
          </>
        )}
      </ReplayView>
    </>
  );
}
