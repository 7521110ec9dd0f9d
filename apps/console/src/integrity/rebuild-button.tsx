import { useState } from 'react';
import { useChange } from '../data/queries';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import type { ReadModel } from './read-model-state';

/** Rebuilds a read model after the admin has agreed. Queries are answered from the present rows meanwhile. */
export function RebuildButton({ model: { name, rebuilding } }: { readonly model: ReadModel }) {
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
