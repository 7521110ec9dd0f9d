import { Link } from '@tanstack/react-router';
import type { IntegrityReport, ProjectionStatus } from '#client/index.js';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import { type Attention, Part } from './part';
import { POLL_MS } from './poll';
import styles from './start-page.module.css';

/** A verification that is older than this says little about the log of today. */
const OLD_MS = 86_400_000;
const SILENT_SECONDS = 15;

/** Whether the log is intact, what is in quarantine, and whether the read models follow the log. */
export function WatcherParts() {
  const verification = useRead(
    ['integrity', 'findings'],
    (mace, call) => mace.integrity.findings(call),
    { refetchInterval: POLL_MS },
  );
  const quarantine = useRead(['start', 'quarantine'], (mace, call) =>
    mace.reflectiveLogs.quarantine({ limit: 100 }, call),
  );
  useLive(['quarantine', 'reflective'], ['start', 'quarantine']);
  const projections = useRead(['projections'], (mace, call) => mace.projections.list(call), {
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <Part title="Integrity of the log" query={verification} of={({ last }) => verified(last)} />
      <Part title="Quarantine" query={quarantine} of={quarantined} />
      <Part
        title="Read models"
        query={projections}
        of={({ projections: models }) => following(models)}
      />
    </>
  );
}

function verified(last: IntegrityReport | null): Attention {
  if (last === null)
    return {
      state: 'warning',
      headline: 'The log was not verified yet',
      children: <Link to="/integrity">Start the first verification</Link>,
    };
  const { found, findings, decisions, finished_at } = last;
  const at = finished_at ?? last.started_at;
  const diverged = findings.filter(({ problem }) => problem === 'diverged').length;
  const isOld = Date.parse(at) < Date.now() - OLD_MS;
  return {
    state: found > 0 ? 'bad' : isOld || !decisions ? 'warning' : 'good',
    headline:
      found === 0
        ? `Intact, verified ${inWords(at)}`
        : `${found} ${found === 1 ? 'finding' : 'findings'}, verified ${inWords(at)}`,
    children: (
      <>
        <p>
          {decisions
            ? diverged === 0
              ? 'The replay of every stream is identical.'
              : `The replay of ${diverged} streams diverged.`
            : 'The decisions were not checked.'}
        </p>
        <Link to="/integrity">{found > 0 ? 'See the findings' : 'Verifications'}</Link>
      </>
    ),
  };
}

interface QuarantinePage {
  readonly quarantine: readonly { readonly fault: string }[];
  readonly next_cursor: string | null;
}

function quarantined({ quarantine, next_cursor }: QuarantinePage): Attention {
  const tampered = quarantine.filter(({ fault }) => fault !== 'submitted').length;
  if (quarantine.length === 0) return { state: 'good', headline: 'The quarantine is empty' };
  const count = `${quarantine.length}${next_cursor === null ? '' : ' or more'}`;
  return {
    state: tampered > 0 ? 'bad' : 'warning',
    headline: `${count} in quarantine`,
    children: (
      <>
        <p>
          {tampered === 0
            ? 'All of them were refused when they were submitted.'
            : `${tampered} ${tampered === 1 ? 'is a row that was' : 'are rows that were'} changed outside the service.`}
        </p>
        <Link to="/integrity/quarantine">See the quarantine</Link>
      </>
    ),
  };
}

const isStopped = ({ stopped, heartbeat_seconds_ago: ago }: ProjectionStatus): boolean =>
  stopped !== null || ago === null || ago > SILENT_SECONDS;

function following(models: readonly ProjectionStatus[]): Attention {
  const stopped = models.filter(isStopped);
  if (stopped.length === 0)
    return { state: 'good', headline: `All ${models.length} follow the log` };
  return {
    state: 'bad',
    headline: `${stopped.length} of ${models.length} have stopped`,
    children: (
      <>
        <ul className={styles.list}>
          {stopped.map(({ name, stopped: at }) => (
            <li key={name} className={styles.item}>
              <VisibleText text={name} />
              <span className={styles.muted}>
                <VisibleText text={at?.reason ?? 'no process projects it'} />
              </span>
            </li>
          ))}
        </ul>
        <Link to="/integrity/projections">See the read models</Link>
      </>
    ),
  };
}
