import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMace } from '../../session/session-provider';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { TextField } from '../../ui/field';
import { submitting } from '../../ui/form';
import { Loading } from '../../ui/loading';
import { PageHeader } from '../../ui/page-header';
import styles from './compare.module.css';
import { compareSearchOf, type CompareSearch } from './compare-search';
import { AboutBoth, FirstDifference } from './compare-about';
import { PairList } from './pair-list';
import { useComparison } from './use-comparison';

const route = getRouteApi('/shell/jobs/compare');
const LATEST = 20;

/** Two jobs side by side: where their histories part, and how their constants, goals and ends differ. */
export function ComparePage() {
  const { left = '', right = '' } = route.useSearch({ select: compareSearchOf });
  return (
    <>
      <PageHeader
        title="Compare two jobs"
        about="Their events by tick, type and content. Seeds, owners, sessions and ids that follow from them do not count."
      />
      <Choice key={`${left} ${right}`} left={left} right={right} />
      {left !== '' && right !== '' && <Compared left={left} right={right} />}
    </>
  );
}

/** Takes the seeds; the latest jobs are offered. */
function Choice({ left, right }: Required<CompareSearch>) {
  const mace = useMace();
  const navigate = useNavigate();
  const [one, setOne] = useState(left);
  const [other, setOther] = useState(right);
  const latest = useQuery({
    queryKey: ['jobs', 'latest', LATEST],
    queryFn: ({ signal }) => mace.jobs.list({ limit: LATEST }, { signal }),
  });
  const submit = submitting(() => {
    const search = { left: one.trim(), right: other.trim() };
    if (search.left !== '' && search.right !== '') void navigate({ to: '/jobs/compare', search });
  });
  return (
    <form className={styles.choice} aria-label="Jobs to compare" onSubmit={submit}>
      <TextField label="Left job" value={one} onChange={setOne} list="latest-jobs" />
      <TextField label="Right job" value={other} onChange={setOther} list="latest-jobs" />
      <datalist id="latest-jobs">
        {latest.data?.jobs.map(({ job_seed, goal }) => (
          <option key={job_seed} value={job_seed}>
            {goal ?? 'A job without a goal'}
          </option>
        ))}
      </datalist>
      <Button type="submit" kind="primary">
        Compare
      </Button>
      {latest.isError && <ErrorNotice error={latest.error} retry={() => void latest.refetch()} />}
    </form>
  );
}

function Compared({ left, right }: Required<CompareSearch>) {
  const { comparison, error, retry } = useComparison(left, right);
  if (error !== null) return <ErrorNotice error={error} retry={retry} />;
  if (comparison === undefined) return <Loading what="both jobs" />;
  return (
    <>
      <FirstDifference comparison={comparison} />
      <AboutBoth comparison={comparison} />
      {comparison.isWhole ? (
        <PairList comparison={comparison} />
      ) : (
        <Loading what="the rest of both jobs" />
      )}
      <p className={styles.note}>
        A replay of each job stands on its page: <JobLink seed={left} />, <JobLink seed={right} />.
        The service keeps no earlier replays, so two replays of one job cannot be compared here; the
        hash of the final state in each report can.
      </p>
    </>
  );
}

const JobLink = ({ seed }: { readonly seed: string }) => (
  <Link to="/jobs/$seed" params={{ seed }}>
    {seed}
  </Link>
);
