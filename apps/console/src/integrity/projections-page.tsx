import { useRead, useChange } from '../data/queries';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { type Column, DataTable } from '../ui/data-table';
import { Message } from '../ui/message';
import { Facts } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { IntegrityFrame } from './integrity-frame';
import { isBehind, type ReadModel, StateBadge } from './read-model-state';
import { useState } from 'react';

const POLL_MS = 2_000;

/** Shows the progress of each read model, why one has stopped, and lets admins rebuild it. */
export function ProjectionsPage() {
  const session = useSession();
  const list = useRead(['projections'], (mace, call) => mace.projections.list(call), {
    refetchInterval: POLL_MS,
  });
  const mayRebuild = hasRole(session, 'admin');
  return (
    <IntegrityFrame
      title="Read models"
      about="What the service answers from, as far as each of them follows the log. It is read again every 2 seconds."
    >
      <Answered query={list} what="the read models">
        {({ projections, log_end }) => (
          <>
            <Summary projections={projections} logEnd={log_end} />
            <StoppedReadModels projections={projections} />
            <DataTable
              label="Read models"
              columns={columnsFor(log_end, mayRebuild)}
              rows={projections}
              keyOf={({ name }) => name}
              empty={<Message title="There are no read models" />}
            />
          </>
        )}
      </Answered>
    </IntegrityFrame>
  );
}

interface SummaryProps {
  readonly projections: readonly ReadModel[];
  readonly logEnd: string | null;
}

const Summary = ({ projections, logEnd }: SummaryProps) => (
  <Facts
    facts={[
      ['End of the log', logEnd ?? 'the event store does not answer'],
      ['Read models', projections.length],
      ['Behind', projections.filter(isBehind).length],
      ['Stopped', projections.filter(({ stopped }) => stopped !== null).length],
      [
        'Rows that differed from the log',
        projections.reduce((sum, one) => sum + differing(one), 0),
      ],
    ]}
  />
);

/** Returns the number of rows that the last comparison with the log found different, and replaced. */
const differing = ({ differences }: ReadModel): number =>
  differences.reduce((sum, { count }) => sum + count, 0);

const secondsOf = (seconds: number | null): string =>
  seconds === null ? 'not known' : `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;

const columnsFor = (logEnd: string | null, mayRebuild: boolean): readonly Column<ReadModel>[] => [
  { name: 'Read model', cell: ({ name }) => <VisibleText text={name} /> },
  { name: 'State', cell: (model) => <StateBadge model={model} logEnd={logEnd} /> },
  { name: 'Position', cell: ({ position }) => position ?? 'none', isNumber: true },
  { name: 'Lag', cell: ({ lag_seconds }) => secondsOf(lag_seconds), isNumber: true },
  {
    name: 'Heartbeat',
    cell: ({ heartbeat_seconds_ago: ago }) => (ago === null ? 'never' : `${secondsOf(ago)} ago`),
    isNumber: true,
  },
  { name: 'Differed', cell: differing, isNumber: true },
  { name: 'Leader', cell: ({ leader }) => <VisibleText text={leader ?? 'none'} /> },
  ...(mayRebuild
    ? [{ name: 'Rebuild', cell: (model: ReadModel) => <RebuildButton model={model} /> }]
    : []),
];

/** Rebuilds a read model after the admin has agreed. Queries are answered from the present rows meanwhile. */
function RebuildButton({ model: { name, rebuilding } }: { readonly model: ReadModel }) {
  const [isAsking, setAsking] = useState(false);
  const rebuild = useChange((mace) => mace.projections.rebuild(name), {
    ...{ done: `The rebuild of ${name} has begun.`, changes: ['projections'] },
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button disabled={rebuilding} aria-label={`Rebuild ${name}`} onClick={() => setAsking(true)}>
        Rebuild
      </Button>
      {isAsking && (
        <ConfirmDialog
          {...{ kind: 'primary', agree: 'Rebuild it', keep: 'Leave it', change: rebuild }}
          title={`Rebuild ${name}?`}
          about="A new version is filled from the whole log beside the present one, and then takes its place. Queries do not stop."
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Names each read model that has stopped, with the event at which it stopped and the reason. */
const StoppedReadModels = ({ projections }: { readonly projections: readonly ReadModel[] }) =>
  projections.flatMap(({ name, stopped }) =>
    stopped === null
      ? []
      : [
          <Message key={name} title={`The read model ${name} has stopped`} kind="bad">
            <p>
              Its rows do not show later events. Queries answer from what it has, or wait. Mend the
              cause, then rebuild it.
            </p>
            <Facts
              facts={[
                ['Reason', <VisibleText key="reason" text={stopped.reason} />],
                ['Stream', <VisibleText key="stream" text={stopped.stream} />],
                ['Event', stopped.number],
                ['Position', stopped.position],
              ]}
            />
          </Message>,
        ],
  );
