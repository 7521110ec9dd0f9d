import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MaceClient } from '#client/index.js';
import { RISKS } from '../action-requests/queue-search';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { useSession } from '../session/session-provider';
import { inWords } from '../ui/instant';
import { lastVisit } from './last-visit';
import { type Attention, Part } from './part';
import styles from './start-page.module.css';

const DIGEST = ['start', 'digest'] as const;
const DAY_MS = 86_400_000;
/** How many requests the digest looks at for deadlines. */
const LOOKED_AT = 100;

/** In one place, what a reviewer should know before the work. */
export function Digest() {
  const { sub } = useSession();
  const [since] = useState(() => lastVisit(sub));
  const digest = useRead([...DIGEST, sub, since], (mace, call) => read(mace, sub, since, call));
  useLive(['request'], DIGEST);
  return <Part title="At a glance" query={digest} of={(data) => attentionOf(data, sub)} />;
}

type Digested = Awaited<ReturnType<typeof read>>;

async function read(
  mace: MaceClient,
  sub: string,
  since: string | undefined,
  call: { readonly signal: AbortSignal },
) {
  const open = { status: 'pending', counts: 'true', order: 'deadline' } as const;
  const [waiting, assigned, figures] = await Promise.all([
    mace.actionRequests.list({ ...open, voted: 'false', snoozed: 'false', limit: LOOKED_AT }, call),
    mace.actionRequests.list({ ...open, assigned_to: sub, limit: 1 }, call),
    since === undefined ? undefined : mace.actionRequests.figures({ from: since }, call),
  ]);
  const soon = waiting.action_requests.filter(
    ({ expires_at }) => Date.parse(expires_at) < Date.now() + DAY_MS,
  );
  return {
    waiting: waiting.counts?.by_status.pending ?? 0,
    risks: RISKS.map((level) => [level, waiting.counts?.by_risk?.[level] ?? 0] as const),
    soon: soon.length,
    answered: waiting.counts?.by_question.answered_caller ?? 0,
    assigned: assigned.counts?.by_status.pending ?? 0,
    decided: figures?.decided ?? 0,
    since,
  };
}

function attentionOf(digest: Digested, sub: string): Attention {
  const { waiting, risks, soon, answered, assigned, decided, since } = digest;
  const byRisk = risks.filter(([, count]) => count > 0);
  const atLeast = soon === LOOKED_AT ? `${soon} or more` : soon;
  return {
    state: soon > 0 ? 'bad' : waiting + answered + assigned > 0 ? 'warning' : 'good',
    headline: waiting === 0 ? 'Your queue is empty' : `${waiting} in your queue`,
    children: (
      <ul className={styles.list}>
        <li>
          <Link to="/requests" search={{ order: 'risk' }}>
            By risk
          </Link>
          :{' '}
          {byRisk.length === 0
            ? 'none'
            : byRisk.map(([level, count]) => `${count} ${level}`).join(', ')}
        </li>
        <li>
          <Link to="/requests">Due within a day</Link>: {atLeast}
        </li>
        <li>
          <Link to="/requests" search={{ assigned: sub }}>
            Assigned to you
          </Link>
          : {assigned}
        </li>
        <li>
          <Link to="/requests" search={{ question: 'answered_caller' }}>
            Answers to your questions
          </Link>
          : {answered}
        </li>
        {since !== undefined && (
          <li>
            <Link to="/requests/figures">Decided since your last visit</Link>, {inWords(since)}:{' '}
            {decided}
          </li>
        )}
      </ul>
    ),
  };
}
