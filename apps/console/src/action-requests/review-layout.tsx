import type { ReactNode } from 'react';
import { useMoment } from '../moment/use-moment';
import { LastDecision } from './last-decision';
import { ReturnedVotes } from './returned-votes';
import styles from './review.module.css';

interface ReviewLayoutProps {
  readonly decision?: ReactNode;
  readonly side?: ReactNode;
  /** What is read. */
  readonly children: ReactNode;
}

/**
 * The page of a request. The decision has a place of its own beside what is read, in a narrow window at its bottom, so
 * that nothing that appears moves it.
 */
export function ReviewLayout({ decision, side, children }: ReviewLayoutProps) {
  const isPast = useMoment().at !== undefined;
  return (
    <div className={styles.page}>
      <div className={styles.read}>
        {children}
        {!isPast && <LastDecision />}
      </div>
      <aside className={styles.side} aria-label="Decision and record">
        {decision}
        {!isPast && (
          <div className={styles.returned}>
            <ReturnedVotes />
          </div>
        )}
        {side !== undefined && <div className={styles.folded}>{side}</div>}
      </aside>
    </div>
  );
}
