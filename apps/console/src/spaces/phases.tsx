import { useQuery } from '@tanstack/react-query';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { Bar, Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { PhaseChanges } from './phase-changes';
import type { StorePartProps } from './store-page';

/** The phases of a store, and what changed from one to another. */
export function Phases({ space, owner, search, show }: StorePartProps) {
  const mace = useMace();
  const answer = useQuery({
    queryKey: ['phases', space, owner],
    queryFn: ({ signal }) => mace.memory.phases(space, owner, { signal }),
  });
  if (answer.isPending) return <Loading what="the phases" />;
  if (answer.isError)
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
          columns={['Phase', 'Name', 'Started at tick', 'Reason', 'Items']}
        >
          {phases.map(({ phase_id, phase_name, phase_started_at, phase_reason }) => (
            <tr key={phase_id}>
              <th scope="row">{phase_id}</th>
              <td>{phase_name === undefined ? '–' : <VisibleText text={phase_name} />}</td>
              <td>{phase_started_at}</td>
              <td>
                <VisibleText text={phase_reason} />
              </td>
              <td>
                <Button kind="quiet" onClick={() => show({ phase: phase_id })}>
                  Items of {phase_id}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      </Section>
      <Section title="Difference between two phases">
        <Bar>
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} label={end === 'from' ? 'From' : 'To'}>
              {(field) => (
                <select
                  {...field}
                  value={end === 'from' ? from : to}
                  onChange={(event) => show({ ...search, from, to, [end]: event.target.value })}
                >
                  {[...new Set([...ids, from, to])].map((id) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ))}
        </Bar>
        <PhaseChanges space={space} owner={owner} from={from} to={to} />
      </Section>
    </>
  );
}
