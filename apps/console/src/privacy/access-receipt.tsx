import type { AdminAccess } from '#client/index.js';
import { SaveJson } from '../data/save-json';
import { hasRole, WATCHERS } from '../session/session';
import { useSession } from '../session/session-provider';
import { EventPlace } from '../ui/event-place';
import { EventReceipt } from './event-receipt';
import styles from './event-receipt.module.css';

/**
 * The event of an unredacted read, and its signed receipt, which can be checked without the service (SPEC G7). The owner of
 * what was read may not have the reader's audit event, and gets the entry.
 */
export function AccessReceipt({ access }: { readonly access: AdminAccess }) {
  const { stream, number, position } = access.event;
  if (!hasRole(useSession(), ...WATCHERS)) return <EventReceipt entry={access} />;
  return (
    <div className={styles.receipt}>
      <EventPlace event={access.event} />
      <SaveJson
        aria-label={`Download the signed receipt of position ${position}`}
        file={`receipt-${stream}-${number}.json`}
        read={(mace) => mace.oversight.accessReceipt(position)}
      >
        Download
      </SaveJson>
    </div>
  );
}
