import { useState } from 'react';
import type { WaitingWrite } from '#client/index.js';
import { useChange } from '../data/queries';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { ErrorNotice } from '../ui/error-notice';
import { Row } from '../ui/stack';

/** Lets an admin write a waiting write now, or remove it for good. */
export function WriteActions({ write: { id, command } }: { readonly write: WaitingWrite }) {
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
