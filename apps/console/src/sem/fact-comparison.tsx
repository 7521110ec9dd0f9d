import type { Fact, FactEvent, Json } from '#client/index.js';
import { ValueDiff } from '../action-requests/value-diff';
import { useRead } from '../data/queries';
import type { SearchProps } from '../data/search-params';
import { Answered } from '../ui/answered';
import { SelectField } from '../ui/field';
import { Bar, Section } from '../ui/section';
import type { FactSearch } from './facts-search';

interface FactComparisonProps extends SearchProps<FactSearch> {
  readonly of: string;
  readonly events: readonly FactEvent[];
}

/** The difference between two versions. Nothing if the fact has only one. */
export function FactComparison({ of, events, search, show }: FactComparisonProps) {
  const versions = events
    .filter(({ type }) => type === 'fact_put' || type === 'fact_deleted')
    .map(({ version }) => version);
  const [newest, before] = versions;
  if (newest === undefined || before === undefined) return null;
  const { from = before, to = newest } = search;
  return (
    <Section title="Difference between two versions">
      <Bar>
        {(['from', 'to'] as const).map((end) => {
          const value = String(end === 'from' ? from : to);
          return (
            <SelectField
              key={end}
              label={end === 'from' ? 'From' : 'To'}
              value={value}
              options={[...new Set([...versions.map(String), value])].map((version) => [
                version,
                `version ${version}`,
              ])}
              onChange={(version) => show({ ...search, from, to, [end]: Number(version) })}
            />
          );
        })}
      </Bar>
      <Difference of={of} from={from} to={to} />
    </Section>
  );
}

interface DifferenceProps {
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

function Difference({ of, from, to }: DifferenceProps) {
  const both = useRead(['fact-difference', of, from, to], (mace, call) =>
    Promise.all([from, to].map((version) => mace.sem.get(of, { version }, call))),
  );
  return (
    <Answered query={both} what="both versions">
      {([left, right]) => (
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
      )}
    </Answered>
  );
}

const existsIn = (fact: Fact | undefined): string =>
  fact?.exists === true ? 'had a value' : 'had no value';

const valueIn = (fact: Fact | undefined): Json => (fact?.exists === true ? fact.value : '');
