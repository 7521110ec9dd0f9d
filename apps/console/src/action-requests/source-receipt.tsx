import type { Dossier } from '#client/index.js';
import { ReceiptButton } from './receipt-button';
import styles from './review.module.css';

interface SourceReceiptProps {
  readonly requestId: string;
  /** Null if the service could not read the log. */
  readonly event: Dossier['source_event'] | null;
}

/** The receipt of the event behind a part of a request. */
export const SourceReceipt = ({ requestId, event }: SourceReceiptProps) =>
  event !== null && (
    <ReceiptButton
      requestId={requestId}
      number={event.number}
      className={styles.receipt}
      title={`Position ${event.position}, hash ${event.hash}`}
    >
      Receipt of event {event.number}
    </ReceiptButton>
  );
