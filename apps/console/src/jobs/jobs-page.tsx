import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { JobListing } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Instant, inWords } from '../ui/instant';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { PageHeader } from '../ui/page-header';
import { Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { JobFilters } from './job-filters';
import type { JobsSearch } from './jobs-search';
import styles from './jobs.module.css';

const route = getRouteApi('/shell/jobs');
const PAGE = 50;

/** The jobs that the reader may see, newest first. */
export function JobsPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/jobs' });
  const show = (next: JobsSearch) => void navigate({ search: next });
  return (
    <>
      <PageHeader title="Jobs" about="Each job is one run of an agent. Open one to replay it.">
        <Link to="/bundle">Open an exported bundle</Link>
      </PageHeader>
      <JobFilters search={search} show={show} />
      <JobList search={search} clear={() => show({})} />
    </>
  );
}

interface JobListProps {
  readonly search: JobsSearch;
  readonly clear: () => void;
}

function JobList({ search, clear }: JobListProps) {
  const mace = useMace();
  const { status, session: session_id, owner } = search;
  const jobs = useInfiniteQuery({
    queryKey: ['jobs', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      mace.jobs.list(
        {
          ...(status && { status }),
          ...(session_id && { session_id }),
          ...(owner && { owner }),
          ...(cursor === undefined ? {} : { cursor }),
          limit: PAGE,
        },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (jobs.isPending) return <Loading what="the jobs" />;
  if (jobs.isLoadingError)
    return <ErrorNotice error={jobs.error} retry={() => void jobs.refetch()} />;
  const rows = jobs.data.pages.flatMap((page) => page.jobs);
  return (
    <Stack>
      <DataTable
        label="Jobs"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ job_seed }) => job_seed}
        empty={<NoJobs hasFilters={Object.keys(search).length > 0} clear={clear} />}
      />
      <MoreButton list={jobs} words="Show older jobs" />
    </Stack>
  );
}

const COLUMNS: readonly Column<JobListing>[] = [
  {
    name: 'Job and goal',
    cell: ({ job_seed: seed, goal }) => (
      <>
        <Link to="/jobs/$seed" params={{ seed }}>
          <VisibleText text={goal ?? 'A job without a goal'} />
        </Link>
        <div className={styles.seed}>{seed}</div>
      </>
    ),
  },
  {
    name: 'Status',
    cell: ({ status }) => <Badge kind={status === 'running' ? 'good' : 'plain'}>{status}</Badge>,
  },
  {
    name: 'Owner',
    cell: ({ owner_sub, owner_user_id }) => (
      <>
        <VisibleText text={owner_sub} />
        {owner_user_id !== null && <> for {owner_user_id}</>}
      </>
    ),
  },
  {
    name: 'Session',
    cell: ({ session_id: session }) =>
      session === null ? (
        '–'
      ) : (
        <Link to="/jobs" search={{ session }}>
          {session}
        </Link>
      ),
  },
  { name: 'Tick', isNumber: true, cell: ({ tick }) => tick.toLocaleString('en') },
  { name: 'Events', isNumber: true, cell: ({ version }) => (version + 1).toLocaleString('en') },
  {
    name: 'Started',
    cell: ({ started_at }) => (
      <>
        <Instant at={started_at} />
        <div className={styles.seed}>{inWords(started_at)}</div>
      </>
    ),
  },
];

interface NoJobsProps {
  readonly hasFilters: boolean;
  readonly clear: () => void;
}

const NoJobs = ({ hasFilters, clear }: NoJobsProps) =>
  hasFilters ? (
    <Message title="No job meets these filters">
      <Button onClick={clear}>Show all jobs</Button>
    </Message>
  ) : (
    <Message title="There are no jobs yet">
      <p>
        A job appears here when an agent starts one: <code>POST /v1/jobs</code>, or{' '}
        <code>npx mace import</code> for a recorded run.
      </p>
    </Message>
  );
