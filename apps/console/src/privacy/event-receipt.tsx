import type { AdminAccess } from '#client/index.js';
import { Button } from '../ui/button';
import { downloadJson } from '../ui/download';
import { VisibleText } from '../ui/visible-text';
import styles from './event-receipt.module.css';

/** The event that proves an entry: its place and hash, and the entry as a file. */
export function EventReceipt({ entry }: { readonly entry: Pick<AdminAccess, 'event'> }) {
  const { stream, number, position, hash } = entry.event;
  return (
    <div className={styles.receipt}>
      <span>
        <VisibleText text={stream} /> {number}, position {position}
      </span>
      <code className={styles.hash} title={hash}>
        {hash.slice(0, 16)}…
      </code>
      <Button
        kind="quiet"
        aria-label={`Download the receipt of position ${position}`}
        onClick={() => downloadJson(`receipt-${position}.json`, entry)}
      >
        Receipt
      </Button>
    </div>
  );
}
