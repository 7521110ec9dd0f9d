import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { JobListing } from '#client/index.js';
import { usePages } from '../data/queries';
import { given, type SearchProps } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { type Column, PagedTable } from '../ui/data-table';
import { SelectField, TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Instant, inWords } from '../ui/instant';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { SampleHint } from '../ui/sample-hint';
import { Stack } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { type JobsSearch, jobsSearchOf } from './jobs-search';
import styles from './jobs.module.css';
import { useState } from 'react';

const route = getRouteApi('/shell/jobs');
const PAGE = 50;

/** The jobs that the reader may see, newest first. */
export function JobsPage() {
  const search = route.useSearch({ select: jobsSearchOf });
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

function JobList({ search, clear }: { readonly search: JobsSearch; readonly clear: () => void }) {
  const { status, session: session_id, owner } = search;
  const sample = search.sample ? undefined : ('false' as const);
  const moment = useMoment();
  const filter = given({ status, session_id, owner, sample, ...moment });
  const jobs = usePages(['jobs', search, moment], (mace, page, call) =>
    mace.jobs.list({ ...filter, ...page, limit: PAGE }, call),
  );
  return (
    <Stack>
      <PagedTable
        list={jobs}
        what="the jobs"
        words="Show older jobs"
        label="Jobs"
        columns={COLUMNS}
        rowsIn={(page) => page.jobs}
        keyOf={({ job_seed }) => job_seed}
        empty={
          <NoJobs
            hasFilters={Object.keys(search).some((name) => name !== 'sample')}
            isPast={moment.at !== undefined}
            clear={clear}
          />
        }
      />
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
  readonly isPast: boolean;
  readonly clear: () => void;
}

const NoJobs = ({ hasFilters, isPast, clear }: NoJobsProps) =>
  hasFilters ? (
    <Message title="No job meets these filters">
      <Button onClick={clear}>Show all jobs</Button>
    </Message>
  ) : isPast ? (
    <Message title="There were no jobs that you may see" />
  ) : (
    <Message title="There are no jobs yet">
      <p>
        A job appears here when an agent starts one: <code>POST /v1/jobs</code>, or{' '}
        <code>npx mace import</code> for a recorded run.
      </p>
      <SampleHint />
      <p>The jobs of the sample are listed if “Sample” is “shown”.</p>
    </Message>
  );

/** The filters of the list, and the way to a job whose seed is known. */
function JobFilters({ search, show }: SearchProps<JobsSearch>) {
  const [session, setSession] = useState(search.session ?? '');
  const [owner, setOwner] = useState(search.owner ?? '');
  const apply = (changed: Partial<Record<keyof JobsSearch, string>>): void => {
    const { status, sample, ...texts } = { ...search, session, owner, ...changed };
    show({
      ...(status === 'running' || status === 'ended' ? { status } : {}),
      ...(texts.session && { session: texts.session.trim() }),
      ...(texts.owner && { owner: texts.owner.trim() }),
      ...(sample && { sample: true }),
    });
  };
  const submit = submitting(() => apply({}));
  return (
    <div className={styles.filters}>
      <form className={styles.filterForm} role="search" aria-label="Filter jobs" onSubmit={submit}>
        <SelectField
          label="Status"
          value={search.status ?? ''}
          options={[['', 'all'], 'running', 'ended']}
          onChange={(value) => apply({ status: value })}
        />
        <SelectField
          label="Sample"
          value={search.sample ? 'shown' : ''}
          options={[['', 'hidden'], 'shown']}
          onChange={(value) => apply({ sample: value })}
        />
        <TextField label="Session" value={session} onChange={setSession} />
        <TextField label="Owner" value={owner} onChange={setOwner} />
        <Button type="submit">Filter</Button>
      </form>
      <OpenBySeed />
    </div>
  );
}

function OpenBySeed() {
  const [seed, setSeed] = useState('');
  const navigate = useNavigate();
  const open = submitting(() => {
    if (seed.trim() !== '') void navigate({ to: '/jobs/$seed', params: { seed: seed.trim() } });
  });
  return (
    <form className={styles.filterForm} aria-label="Open a job" onSubmit={open}>
      <TextField label="Job seed" value={seed} onChange={setSeed} />
      <Button type="submit">Open</Button>
    </form>
  );
}
