import { useQuery } from '@tanstack/react-query';
import type { Fact, FactEvent, Json } from '#client/index.js';
import { ValueDiff } from '../action-requests/value-diff';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Loading } from '../ui/loading';
import { Bar, Section } from '../ui/section';
import type { FactSearch } from './facts-search';

interface FactComparisonProps {
  readonly of: string;
  readonly events: readonly FactEvent[];
  readonly search: FactSearch;
  readonly show: (search: FactSearch) => void;
}

/** The difference between two versions. Nothing if the fact has only one. */
export function FactComparison({ of, events, search, show }: FactComparisonProps) {
  const versions = events
    .filter(({ type }) => type === 'fact_put' || type === 'fact_deleted')
    .map(({ version }) => version);
  const [newest, before] = versions;
  if (newest === undefined || before === undefined) return null;
  const { from = before, to = newest } = search;
  const choose = (change: FactSearch) => show({ ...search, from, to, ...change });
  return (
    <Section title="Difference between two versions">
      <Bar>
        <VersionChoice
          label="From"
          versions={versions}
          value={from}
          choose={(at) => choose({ from: at })}
        />
        <VersionChoice
          label="To"
          versions={versions}
          value={to}
          choose={(at) => choose({ to: at })}
        />
      </Bar>
      <Difference of={of} from={from} to={to} />
    </Section>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly versions: readonly number[];
  readonly value: number;
  readonly choose: (version: number) => void;
}

const VersionChoice = ({ label, versions, value, choose }: VersionChoiceProps) => (
  <Field label={label}>
    {(field) => (
      <select {...field} value={value} onChange={(event) => choose(Number(event.target.value))}>
        {[...new Set([...versions, value])].map((version) => (
          <option key={version} value={version}>
            version {version}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface DifferenceProps {
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

function Difference({ of, from, to }: DifferenceProps) {
  const mace = useMace();
  const both = useQuery({
    queryKey: ['fact-difference', of, from, to],
    queryFn: ({ signal }) =>
      Promise.all([from, to].map((version) => mace.sem.get(of, { version }, { signal }))),
  });
  if (both.isPending) return <Loading what="both versions" />;
  if (both.isLoadingError)
    return <ErrorNotice error={both.error} retry={() => void both.refetch()} />;
  const [left, right] = both.data;
  return (
    <>
      {left?.exists !== right?.exists && (
        <p>
          {`At version ${from} the fact ${existsIn(left)}, at version ${to} it ${existsIn(right)}.`}
        </p>
      )}
      <ValueDiff
        before={valueIn(left)}
        after={valueIn(right)}
        label={`Difference between version ${from} and version ${to}`}
      />
    </>
  );
}

const existsIn = (fact: Fact | undefined): string =>
  fact?.exists === true ? 'had a value' : 'had no value';

const valueIn = (fact: Fact | undefined): Json => (fact?.exists === true ? fact.value : '');
