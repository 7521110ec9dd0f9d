import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import type { Erasure } from './erasure';
import { ErasureReceiptDialog } from './erasure-receipt-dialog';
import { ExecuteErasureDialog } from './execute-erasure-dialog';

/** What comes next for an erasure, as far as the person may do it. */
export function ErasureAction({ erasure }: { readonly erasure: Erasure }) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  switch (erasure.status) {
    case 'pending':
      return hasRole(session, 'council', 'admin') ? (
        <Link to="/requests/$id" params={{ id: erasure.id }}>
          Decide it
        </Link>
      ) : (
        'The council decides'
      );
    case 'approved':
      if (!hasRole(session, 'admin')) return 'An admin executes it';
      return (
        <>
          <Button
            kind="danger"
            aria-label={`Execute the erasure of ${erasure.subject}`}
            onClick={() => setOpen(true)}
          >
            Execute
          </Button>
          {isOpen && <ExecuteErasureDialog erasure={erasure} onClose={close} />}
        </>
      );
    case 'executed':
      return (
        <>
          <Button
            aria-label={`Show the receipt of ${erasure.subject}`}
            onClick={() => setOpen(true)}
          >
            Receipt
          </Button>
          {isOpen && <ErasureReceiptDialog id={erasure.id} onClose={close} />}
        </>
      );
    default:
      return 'none';
  }
}
