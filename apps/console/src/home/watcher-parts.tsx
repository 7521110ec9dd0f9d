import { Link } from '@tanstack/react-router';
import type { IntegrityReport, LogCheckpointsPage, ProjectionStatus } from '#client/index.js';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { counted, MadeBy } from '../integrity/report';
import { Age, inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import { Diverged } from './diverged';
import { type Attention, Part } from './part';
import { POLL_MS } from './poll';
import styles from './start-page.module.css';

/** A verification that is older than this says little about the log of today. */
const OLD_MS = 86_400_000;
const WEEK_MS = 7 * 86_400_000;
/** The most reads of personal data that the page counts. */
const MAX_ACCESSES = 500;
const SILENT_SECONDS = 15;

/** Whether the log is intact and signed, who read personal data, what is in quarantine, and whether the read models follow. */
export function WatcherParts() {
  const verification = useRead(
    ['integrity', 'findings'],
    (mace, call) => mace.integrity.findings(call),
    { refetchInterval: POLL_MS },
  );
  const checkpoints = useRead(
    ['start', 'checkpoints'],
    (mace, call) => mace.integrity.checkpoints({ limit: 1 }, call),
    { refetchInterval: POLL_MS },
  );
  const accesses = useRead(['start', 'accesses'], (mace, call) =>
    mace.oversight.accesses({ limit: MAX_ACCESSES }, call),
  );
  useLive(['audit'], ['start', 'accesses']);
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
      <Part title="Checkpoint of the log" query={checkpoints} of={signedAt} />
      <Part title="Personal data" query={accesses} of={readThisWeek} />
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
  const isOld = Date.parse(at) < Date.now() - OLD_MS;
  return {
    state: found > 0 ? 'bad' : isOld || !decisions ? 'warning' : 'good',
    headline:
      found === 0
        ? `Intact, verified ${inWords(at)}`
        : `${found} ${found === 1 ? 'finding' : 'findings'}, verified ${inWords(at)}`,
    children: (
      <>
        {last.made_by !== undefined && (
          <p>
            By <MadeBy run={last} />.
          </p>
        )}
        <Diverged findings={findings} decisions={decisions} />
        <Link to="/integrity">{found > 0 ? 'See the findings' : 'Verifications'}</Link>
      </>
    ),
  };
}

function signedAt({ checkpoints: [last], schedule, running }: LogCheckpointsPage): Attention {
  if (last === undefined)
    return {
      state: 'warning',
      headline: running === null ? 'No checkpoint was made yet' : 'The first checkpoint is made',
      children: <Link to="/integrity/checkpoints">Make the first checkpoint</Link>,
    };
  const lacking = last.places.filter(({ kept_at }) => kept_at === null);
  const oldMs = schedule.every_minutes === null ? OLD_MS : 2 * schedule.every_minutes * 60_000;
  const isOld = Date.parse(last.created_at) < Date.now() - oldMs;
  return {
    state: last.found > 0 || lacking.length > 0 ? 'bad' : isOld ? 'warning' : 'good',
    headline: (
      <>
        Made <Age at={last.created_at} />
      </>
    ),
    children: (
      <>
        <p>
          {lacking.length > 0
            ? `${lacking.length} of ${last.places.length} places do not keep its file.`
            : `It covers ${counted(last.streams, 'stream')} up to position ${last.position}.`}
        </p>
        <Link to="/integrity/checkpoints">Checkpoints</Link>
      </>
    ),
  };
}

interface AccessesPage {
  readonly accesses: readonly { readonly recorded_at: string; readonly sub: string }[];
}

function readThisWeek({ accesses }: AccessesPage): Attention {
  const recent = accesses.filter(
    ({ recorded_at }) => Date.parse(recorded_at) > Date.now() - WEEK_MS,
  );
  const readers = new Set(recent.map(({ sub }) => sub)).size;
  const count = `${recent.length}${recent.length === MAX_ACCESSES ? ' or more' : ''}`;
  return {
    state: 'good',
    headline:
      recent.length === 0
        ? 'Nobody read it unredacted this week'
        : `${count} ${recent.length === 1 ? 'read' : 'reads'} this week`,
    children: (
      <>
        {recent.length > 0 && <p>By {counted(readers, 'caller')}.</p>}
        <Link to="/privacy/accesses">Unredacted reads</Link>
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
