import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WaitingWrite } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { Row } from '../ui/stack';

/** Lets an admin write a waiting write now, or remove it for good. */
export function WriteActions({ write: { id, command } }: { readonly write: WaitingWrite }) {
  const mace = useMace();
  const [isRemoving, setRemoving] = useState(false);
  const retry = useChange(() => mace.admin.queue.retry(id), 'The write is in the log.');
  const remove = useChange(() => mace.admin.queue.remove(id), 'The write was removed.');
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
        <Dialog
          title={`Remove ${name}?`}
          about="The write is then never made. Its client does not learn of it. A line in the service’s log is the only record."
          onClose={() => setRemoving(false)}
        >
          {remove.isError && <ErrorNotice error={remove.error} />}
          <Row>
            <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Remove it for good
            </Button>
            <Button onClick={() => setRemoving(false)}>Keep it</Button>
          </Row>
        </Dialog>
      )}
    </>
  );
}

function useChange(change: () => Promise<unknown>, done: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: change,
    onSuccess: () => announce(done),
    // A write that a rule refuses leaves the queue as well.
    onSettled: () => queries.invalidateQueries({ queryKey: ['storage-queue'] }),
  });
}
