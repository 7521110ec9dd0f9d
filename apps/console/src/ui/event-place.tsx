import { Link } from '@tanstack/react-router';
import styles from './event-place.module.css';
import { VisibleText } from './visible-text';

/** An event in the log, with the hash by which it is recognised. */
export interface PlacedEvent {
  readonly stream: string;
  readonly number: number;
  readonly position: string;
  readonly hash: string;
}

const JOB = 'job-';

/** Where the log has an event. An event of a job leads to the job's replay at that event. */
export function EventPlace({ event }: { readonly event: PlacedEvent }) {
  const { stream, number, position, hash } = event;
  const name = (
    <>
      event {number} of <VisibleText text={stream} />
    </>
  );
  return (
    <div className={styles.place}>
      {stream.startsWith(JOB) ? (
        <Link to="/jobs/$seed" params={{ seed: stream.slice(JOB.length) }} search={{ at: number }}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <span>position {position}</span>
      <span className={styles.hash} title={`The event’s hash: ${hash}`}>
        hash {hash.slice(0, 16)}…
      </span>
    </div>
  );
}
