import { Link } from '@tanstack/react-router';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import type { Erasure } from './erasure';

interface ErasureActionProps {
  readonly erasure: Erasure;
  readonly onExecute: () => void;
  readonly onReceipt: () => void;
}

/** What comes next for an erasure, as far as the person may do it. */
export function ErasureAction({ erasure, onExecute, onReceipt }: ErasureActionProps) {
  const session = useSession();
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
      return hasRole(session, 'admin') ? (
        <Button
          kind="danger"
          aria-label={`Execute the erasure of ${erasure.subject}`}
          onClick={onExecute}
        >
          Execute
        </Button>
      ) : (
        'An admin executes it'
      );
    case 'executed':
      return (
        <Button aria-label={`Show the receipt of ${erasure.subject}`} onClick={onReceipt}>
          Receipt
        </Button>
      );
    default:
      return 'none';
  }
}
