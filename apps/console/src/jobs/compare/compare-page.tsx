import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { keyIdsIn } from '../../bundle/signature';
import { TrustedKeys } from '../../bundle/trusted-keys';
import { useServiceKeys } from '../../bundle/use-service-keys';
import { given } from '../../data/search-params';
import { useMace } from '../../session/session-provider';
import { Button } from '../../ui/button';
import { isTrusted } from '../../bundle/verdict';
import { ErrorNotice } from '../../ui/error-notice';
import { TextField } from '../../ui/field';
import { submitting } from '../../ui/form';
import { Loading } from '../../ui/loading';
import { PageHeader } from '../../ui/page-header';
import styles from './compare.module.css';
import { compareSearchOf, type CompareSearch } from './compare-search';
import { AboutBoth, FirstDifference } from './compare-about';
import type { ComparedSide } from './compared-side';
import { PairList } from './pair-list';
import { Replays, type ReplaysProps } from './replays';
import { SideChooser } from './side-chooser';
import { useComparison } from './use-comparison';
import { type SideChoice, useSide } from './use-side';

const route = getRouteApi('/shell/jobs/compare');
const LATEST = 20;

/** Two jobs side by side, each of the service or of a file: where their histories part, and what a replay says of each. */
export function ComparePage() {
  const { left: leftSeed = '', right: rightSeed = '' } = route.useSearch({
    select: compareSearchOf,
  });
  const navigate = useNavigate();
  const [ownKeys, setOwnKeys] = useState('');
  const ofService = useServiceKeys();
  const trusted = [...(ofService.data ?? []), ...keyIdsIn(ownKeys)];
  const show = (search: CompareSearch): void => void navigate({ to: '/jobs/compare', search });
  const asked = given({ left: leftSeed || undefined, right: rightSeed || undefined });
  const left = useSide({
    ...{ seed: leftSeed, trusted },
    takeSeed: (seed) => show({ ...asked, left: seed }),
  });
  const right = useSide({
    ...{ seed: rightSeed, trusted },
    takeSeed: (seed) => show({ ...asked, right: seed }),
  });
  return (
    <>
      <PageHeader
        title="Compare two jobs"
        about="Their events by tick, type and content. Seeds, owners, sessions and ids that follow from them do not count. If the same job stands on both sides, every part of an event counts."
      />
      <Choice key={`${leftSeed} ${rightSeed}`} {...{ asked, left, right, show }} />
      {(left.hasFile || right.hasFile) && (
        <TrustedKeys ofService={ofService.data} text={ownKeys} change={setOwnKeys} />
      )}
      {left.side !== undefined && right.side !== undefined && (
        <Compared
          key={`${left.side.record.id} ${right.side.record.id}`}
          left={{ ...left, side: left.side }}
          right={{ ...right, side: right.side }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly asked: CompareSearch;
  readonly left: SideChoice;
  readonly right: SideChoice;
  readonly show: (search: CompareSearch) => void;
}

/** Takes a seed or a file for each side; the latest jobs are offered. */
function Choice({ asked, left, right, show }: ChoiceProps) {
  const mace = useMace();
  const [one, setOne] = useState(asked.left ?? '');
  const [other, setOther] = useState(asked.right ?? '');
  const latest = useQuery({
    queryKey: ['jobs', 'latest', LATEST],
    queryFn: ({ signal }) => mace.jobs.list({ limit: LATEST }, { signal }),
  });
  const submit = submitting(() => {
    const search = given({ left: one.trim() || undefined, right: other.trim() || undefined });
    const isGiven = (seed: string | undefined, { hasFile }: SideChoice): boolean =>
      seed !== undefined || hasFile;
    if (isGiven(search.left, left) && isGiven(search.right, right)) show(search);
  });
  return (
    <form aria-label="Jobs to compare" onSubmit={submit}>
      <div className={styles.sides}>
        <SideChooser name="Left" of={left}>
          <TextField label="Left job" value={one} onChange={setOne} list="latest-jobs" />
        </SideChooser>
        <SideChooser name="Right" of={right}>
          <TextField label="Right job" value={other} onChange={setOther} list="latest-jobs" />
        </SideChooser>
      </div>
      <datalist id="latest-jobs">
        {latest.data?.jobs.map(({ job_seed, goal }) => (
          <option key={job_seed} value={job_seed}>
            {goal ?? 'A job without a goal'}
          </option>
        ))}
      </datalist>
      {!(left.hasFile && right.hasFile) && (
        <div className={styles.choice}>
          <Button type="submit" kind="primary">
            Compare
          </Button>
        </div>
      )}
      {latest.isError && <ErrorNotice error={latest.error} retry={() => void latest.refetch()} />}
    </form>
  );
}

function Compared({ left, right }: ReplaysProps) {
  const hasFile = left.side.isFile || right.side.isFile;
  return (
    <>
      <Histories
        left={left.side}
        right={right.side}
        areTrusted={[left, right].every(
          ({ side, signature }) => !side.isFile || isTrusted(signature),
        )}
      />
      <Replays left={left} right={right} />
      <p className={styles.note}>
        {hasFile &&
          'A file has no values of the facts that its job read, so reads are compared by their keys. '}
        The service keeps no earlier replays: save the report of one on the page of its job, and
        open it here beside a later one.
      </p>
    </>
  );
}

interface HistoriesProps {
  readonly left: ComparedSide;
  readonly right: ComparedSide;
  readonly areTrusted: boolean;
}

function Histories({ left, right, areTrusted }: HistoriesProps) {
  const { comparison, error, retry } = useComparison(left, right);
  if (error !== null) return <ErrorNotice error={error} retry={retry} />;
  if (comparison === undefined) return <Loading what="both jobs" />;
  return (
    <>
      <FirstDifference {...{ comparison, areTrusted }} />
      <AboutBoth comparison={comparison} />
      {comparison.isWhole ? (
        <PairList comparison={comparison} />
      ) : (
        <Loading what="the rest of both jobs" />
      )}
    </>
  );
}
