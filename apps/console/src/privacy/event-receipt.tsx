import type { AdminAccess } from '#client/index.js';
import { Button } from '../ui/button';
import { downloadJson } from '../ui/download';
import { EventPlace } from '../ui/event-place';
import styles from './event-receipt.module.css';

/** The event that proves an entry: its place and hash, and the entry as a file. */
export function EventReceipt({ entry }: { readonly entry: Pick<AdminAccess, 'event'> }) {
  const { position } = entry.event;
  return (
    <div className={styles.receipt}>
      <EventPlace event={entry.event} />
      <Button
        kind="quiet"
        aria-label={`Download the receipt of position ${position}`}
        onClick={() => downloadJson(`event-${position}.json`, entry)}
      >
        Download
      </Button>
    </div>
  );
}
