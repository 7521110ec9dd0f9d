import type { Phase } from '#client/index.js';
import { useRead } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { Button } from '../ui/button';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { SelectField } from '../ui/field';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { Bar, Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { PhaseChanges } from './phase-changes';
import type { StorePartProps } from './spaces-search';

const columnsOf = (showItems: (phase: string) => void): readonly Column<Phase>[] => [
  { name: 'Phase', cell: ({ phase_id }) => phase_id },
  {
    name: 'Name',
    cell: ({ phase_name }) => (phase_name === undefined ? '–' : <VisibleText text={phase_name} />),
  },
  { name: 'Started at tick', cell: ({ phase_started_at }) => phase_started_at, isNumber: true },
  { name: 'Reason', cell: ({ phase_reason }) => <VisibleText text={phase_reason} /> },
  {
    name: 'Items',
    cell: ({ phase_id }) => (
      <Button kind="quiet" onClick={() => showItems(phase_id)}>
        Items of {phase_id}
      </Button>
    ),
  },
];

/** The phases of a store, and what changed from one to another. */
export function Phases({ space, owner, search, show }: StorePartProps) {
  const moment = useMoment();
  const answer = useRead(['phases', space, owner, moment], (mace, call) =>
    mace.memory.phases(space, owner, { ...moment, ...call }),
  );
  if (answer.isPending) return <Loading what="the phases" />;
  if (answer.isLoadingError)
    return <ErrorNotice error={answer.error} retry={() => void answer.refetch()} />;
  const { phases } = answer.data;
  if (phases.length === 0)
    return (
      <Message title="There is no phase yet">
        <p>The first one starts with the first item.</p>
      </Message>
    );
  const ids = phases.map(({ phase_id }) => phase_id);
  const { from = ids.at(-2) ?? ids[0]!, to = ids.at(-1)! } = search;
  return (
    <>
      <Section title="Phases">
        <DataTable
          label="Table of phases"
          columns={columnsOf((phase) => show({ view: 'items', phase }))}
          rows={phases}
          keyOf={({ phase_id }) => phase_id}
          empty={null}
        />
      </Section>
      <Section title="Difference between two phases">
        <Bar>
          {(['from', 'to'] as const).map((end) => (
            <SelectField
              key={end}
              label={end === 'from' ? 'From' : 'To'}
              value={end === 'from' ? from : to}
              options={[...new Set([...ids, from, to])]}
              onChange={(value) => show({ ...search, from, to, [end]: value })}
            />
          ))}
        </Bar>
        <PhaseChanges space={space} owner={owner} from={from} to={to} />
      </Section>
    </>
  );
}
