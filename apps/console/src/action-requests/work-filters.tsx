import { useSession } from '../session/session-provider';
import type { QueueSearch } from './queue-search';
import styles from './queue.module.css';

interface WorkFiltersProps {
  readonly search: QueueSearch;
  readonly change: (part: Partial<Record<'voted' | 'assigned' | 'snoozed', unknown>>) => void;
}

/** The filters by the work of reviewers: what this person has voted on, what is assigned to this person, and what this person has put off. */
export function WorkFilters({ search, change }: WorkFiltersProps) {
  const { sub } = useSession();
  return (
    <>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.voted === true}
          onChange={({ target }) => change({ voted: target.checked ? true : undefined })}
        />
        With those that I have voted on
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.assigned === sub}
          onChange={({ target }) => change({ assigned: target.checked ? sub : undefined })}
        />
        Assigned to me
      </label>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={search.snoozed === true}
          onChange={({ target }) => change({ snoozed: target.checked ? true : undefined })}
        />
        What I have put off
      </label>
    </>
  );
}
