import { Link } from '@tanstack/react-router';
import type { Retention, ServiceStatus } from '#client/index.js';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { VisibleText } from '../ui/visible-text';
import { type Attention, Part } from './part';
import { POLL_MS } from './poll';
import styles from './start-page.module.css';

/** Whether the service is ready, what waits for an admin, and whose retention period is over. */
export function OperatorParts() {
  const status = useRead(['status'], (mace, call) => mace.admin.status(call), {
    refetchInterval: POLL_MS,
  });
  const queue = useRead(
    ['start', 'storage-queue'],
    (mace, call) => mace.admin.queue.list({ limit: 100 }, call),
    { refetchInterval: POLL_MS },
  );
  const erasures = useRead(['start', 'erasures'], (mace, call) =>
    mace.actionRequests.list({ kind: 'erasure', status: 'approved', limit: 100 }, call),
  );
  useLive(['request'], ['start', 'erasures']);
  const retention = useRead(
    ['start', 'retention'],
    (mace, call) => mace.privacy.retention({ limit: 100 }, call),
    { refetchInterval: POLL_MS },
  );
  return (
    <>
      <Part title="The service" query={status} of={readiness} />
      <Part
        title="Storage queue"
        query={queue}
        of={({ entries, next_cursor }) => waitingWrites(entries.length, next_cursor)}
      />
      <Part
        title="Erasures to execute"
        query={erasures}
        of={({ action_requests }) => toExecute(action_requests.length)}
      />
      <Part title="Retention" query={retention} of={due} />
    </>
  );
}

function readiness({ ready, checks, storage }: ServiceStatus): Attention {
  const down = checks.filter(({ status }) => status === 'down');
  const room =
    storage.full_since === null ? 'The log has room.' : `The log has no room: ${storage.needs}.`;
  return {
    state: ready && storage.full_since === null ? 'good' : 'bad',
    headline: ready ? 'Ready' : `Not ready: ${down.length} of ${checks.length} checks failed`,
    children: (
      <>
        {down.length > 0 && (
          <ul className={styles.list}>
            {down.map(({ name, reason }) => (
              <li key={name} className={styles.item}>
                <VisibleText text={name} />
                <span className={styles.muted}>
                  <VisibleText text={reason ?? 'no reason was given'} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <p>{room}</p>
        <Link to="/integrity/storage">See the storage</Link>
      </>
    ),
  };
}

function waitingWrites(count: number, next: string | null): Attention {
  if (count === 0) return { state: 'good', headline: 'No write waits' };
  return {
    state: 'warning',
    headline: `${count}${next === null ? '' : ' or more'} ${count === 1 ? 'write waits' : 'writes wait'}`,
    children: <Link to="/integrity/storage">See what they wait for</Link>,
  };
}

function toExecute(count: number): Attention {
  if (count === 0) return { state: 'good', headline: 'No erasure waits for you' };
  return {
    state: 'bad',
    headline: `${count} ${count === 1 ? 'erasure waits' : 'erasures wait'} for an admin`,
    children: <Link to="/privacy/erasures">See the erasures</Link>,
  };
}

function due({ subjects, retention_days, next_cursor }: Retention): Attention {
  const count = subjects.filter(({ is_due, erased }) => is_due && !erased).length;
  const words = count === 1 ? 'subject is due' : 'subjects are due';
  return {
    state: count === 0 ? 'good' : 'warning',
    headline: count === 0 ? 'No retention period is over' : `${count} ${words}`,
    children: (
      <>
        <p>
          The period is {retention_days} days.
          {next_cursor !== null && ' The first 100 subjects were looked at.'}
        </p>
        <Link to="/privacy/retention">See the retention report</Link>
      </>
    ),
  };
}
