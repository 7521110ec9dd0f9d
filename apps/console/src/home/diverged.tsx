import { Link } from '@tanstack/react-router';
import type { IntegrityReport } from '#client/index.js';
import { counted } from '../integrity/report';
import { VisibleText } from '../ui/visible-text';
import styles from './start-page.module.css';

const JOB = 'job-';
/** The most jobs that the start page names. */
const SHOWN = 5;

type DivergedProps = Pick<IntegrityReport, 'findings' | 'decisions'>;

/** Which streams a replay of the last verification did not reproduce; a job leads to its page. */
export function Diverged({ findings, decisions }: DivergedProps) {
  if (!decisions) return <p>The decisions were not checked.</p>;
  const streams = findings
    .filter(({ problem }) => problem === 'diverged')
    .map(({ stream }) => stream);
  if (streams.length === 0) return <p>The replay of every stream is identical.</p>;
  const jobs = streams.filter((stream) => stream.startsWith(JOB));
  return (
    <>
      <p>
        The replay of {counted(streams.length, 'stream')} diverged, of which{' '}
        {counted(jobs.length, 'is a job', 'are jobs')}.
      </p>
      <ul className={styles.list}>
        {jobs.slice(0, SHOWN).map((stream) => (
          <li key={stream} className={styles.item}>
            <Link to="/jobs/$seed" params={{ seed: stream.slice(JOB.length) }}>
              <VisibleText text={stream.slice(JOB.length)} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
