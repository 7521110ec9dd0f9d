import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { Row } from '../ui/stack';
import type { ReadModel } from './read-model-state';

/** Rebuilds a read model after the admin has agreed. Queries are answered from the present rows meanwhile. */
export function RebuildButton({ model: { name, rebuilding } }: { readonly model: ReadModel }) {
  const [isAsking, setAsking] = useState(false);
  const rebuild = useRebuild(name, () => setAsking(false));
  return (
    <>
      <Button disabled={rebuilding} aria-label={`Rebuild ${name}`} onClick={() => setAsking(true)}>
        Rebuild
      </Button>
      {isAsking && (
        <Dialog
          title={`Rebuild ${name}?`}
          about="A new version is filled from the whole log beside the present one, and then takes its place. Queries do not stop."
          onClose={() => setAsking(false)}
        >
          {rebuild.isError && <ErrorNotice error={rebuild.error} />}
          <Row>
            <Button kind="primary" disabled={rebuild.isPending} onClick={() => rebuild.mutate()}>
              Rebuild it
            </Button>
            <Button onClick={() => setAsking(false)}>Leave it</Button>
          </Row>
        </Dialog>
      )}
    </>
  );
}

function useRebuild(name: string, onDone: () => void) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => mace.projections.rebuild(name),
    onSuccess: async () => {
      onDone();
      announce(`The rebuild of ${name} has begun.`);
      await queries.invalidateQueries({ queryKey: ['projections'] });
    },
  });
}
