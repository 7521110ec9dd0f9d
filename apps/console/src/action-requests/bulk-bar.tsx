import { useState } from 'react';
import { Button } from '../ui/button';
import { ApproveManyDialog } from './approve-many-dialog';
import styles from './queue.module.css';
import { RejectManyDialog } from './reject-many-dialog';
import { useKeys } from './use-keys';
import type { Selection } from './use-selection';

/** What can be done with the selected requests. */
export function BulkBar({ selection }: { readonly selection: Selection }) {
  const [opened, open] = useState<'approve' | 'reject'>();
  const { rows, clear } = selection;
  const hasRows = rows.length > 0;
  useKeys({
    A: hasRows ? () => open('approve') : undefined,
    R: hasRows ? () => open('reject') : undefined,
    Escape: hasRows ? clear : undefined,
  });
  const close = (): void => open(undefined);
  return (
    <>
      {hasRows && (
        <section className={styles.bulk} aria-label="Selected requests">
          <strong>{rows.length} selected</strong>
          <Button kind="danger" onClick={() => open('reject')}>
            Reject them … <kbd>R</kbd>
          </Button>
          <Button onClick={() => open('approve')}>
            Approve them … <kbd>A</kbd>
          </Button>
          <Button kind="quiet" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </Button>
        </section>
      )}
      {opened === 'approve' && <ApproveManyDialog rows={rows} onClose={close} />}
      {opened === 'reject' && <RejectManyDialog rows={rows} onClose={close} />}
    </>
  );
}
