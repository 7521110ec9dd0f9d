import type { WaitingWrite } from '#client/index.js';
import { useChange } from '../data/queries';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { useState } from 'react';

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

/** Lets an admin write a waiting write now, or remove it for good. */
function WriteActions({ write: { id, command } }: { readonly write: WaitingWrite }) {
  const [isRemoving, setRemoving] = useState(false);
  const retry = useChange((mace) => mace.admin.queue.retry(id), {
    ...{ done: 'The write is in the log.', changes: ['storage-queue'] },
  });
  const remove = useChange((mace) => mace.admin.queue.remove(id), {
    ...{ done: 'The write was removed.', changes: ['storage-queue'] },
  });
  const name = command ?? id;
  return (
    <>
      <Row>
        <Button
          aria-label={`Retry ${name}`}
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry
        </Button>
        <Button kind="danger" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </Row>
      {retry.isError && <ErrorNotice error={retry.error} />}
      {isRemoving && (
        <ConfirmDialog
          {...{ kind: 'danger', agree: 'Remove it for good', keep: 'Keep it', change: remove }}
          title={`Remove ${name}?`}
          about="The write is then never made. Its client does not learn of it. A line in the service’s log is the only record."
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}
