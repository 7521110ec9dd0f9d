import type { WaitingWrite } from '#client/index.js';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { type Column, DataTable } from '../ui/data-table';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { VisibleText } from '../ui/visible-text';
import { WriteActions } from './write-actions';

const text = (value: string | null) => <VisibleText text={value ?? 'not known'} />;

const WAITS_FOR: Readonly<Record<WaitingWrite['waits_for'], string>> = {
  room: 'for room; it is then written by itself',
  person: 'for a person: its client sent no key, so it may have been sent again',
};

function whyItWaits({ waits_for, last_code, attempts, verified }: WaitingWrite): string {
  if (!verified) return 'The entry was changed outside the service, or sealed with another key.';
  const tries = attempts === 0 ? '' : `, ${attempts} failed ${attempts === 1 ? 'try' : 'tries'}`;
  const wait =
    last_code === 'STORAGE_FULL' ? WAITS_FOR[waits_for] : 'for a person: a rule refused it';
  return `${wait} (${last_code}${tries})`;
}

const COLUMNS: readonly Column<WaitingWrite>[] = [
  { name: 'Command', cell: ({ command, id }) => text(command ?? id) },
  { name: 'Stream', cell: ({ stream }) => text(stream) },
  { name: 'Waits', cell: whyItWaits },
  {
    name: 'Refused',
    cell: ({ refused_at }) => (refused_at === null ? 'not known' : <Instant at={refused_at} />),
  },
  { name: 'Trace id', cell: ({ trace_id }) => <code>{trace_id ?? 'not known'}</code> },
];

interface WaitingWritesProps {
  readonly writes: readonly WaitingWrite[];
  readonly list: Parameters<typeof MoreButton>[0]['list'];
}

/** The writes of the storage queue. Their content is never shown. */
export function WaitingWrites({ writes, list }: WaitingWritesProps) {
  const isAdmin = hasRole(useSession(), 'admin');
  const actions: Column<WaitingWrite> = {
    name: 'Actions',
    cell: (write) => <WriteActions write={write} />,
  };
  return (
    <>
      <DataTable
        label="Waiting writes"
        columns={isAdmin ? [...COLUMNS, actions] : COLUMNS}
        rows={writes}
        keyOf={({ id }) => id}
        empty={
          <Message title="No write waits" kind="good">
            Every write that the service accepted is in the log.
          </Message>
        }
      />
      <MoreButton list={list} />
    </>
  );
}
