import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import type { BulkOutcome } from './bulk-vote';
import styles from './requests.module.css';

interface BulkResultProps {
  readonly outcome: BulkOutcome;
  readonly words: 'approved' | 'rejected';
  readonly onClose: () => void;
}

/** What came of a decision on several requests. Those that were refused stay in the queue. */
export const BulkResult = ({ outcome: { done, refused }, words, onClose }: BulkResultProps) => (
  <Dialog
    title={`${done.length} ${words}`}
    about={
      refused.length === 0
        ? 'Your votes are recorded.'
        : `${refused.length} could not be decided and stay in the queue.`
    }
    onClose={onClose}
  >
    {refused.length > 0 && (
      <ul className={styles.names}>
        {refused.map(({ name, why }) => (
          <li key={name}>
            <code>{name}</code>: {why}
          </li>
        ))}
      </ul>
    )}
    <Button kind="primary" onClick={onClose}>
      Close
    </Button>
  </Dialog>
);
