import { Link } from '@tanstack/react-router';
import type { ActionRequestListing, Consent } from '#client/index.js';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { Command } from '../ui/command';
import { inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import { AnswerForm } from './answer-form';
import { type Attention, Part } from './part';
import styles from './start-page.module.css';

const SHOWN = 5;

/** What an agent or a user owns: jobs, proposals with their questions, and consents. */
export function OwnParts() {
  const session = useSession();
  const hasUser = session.userId !== undefined || hasRole(session, 'user');
  return (
    <>
      <OwnProposals />
      {hasRole(session, 'agent') && <OwnJobs />}
      {hasUser && <OwnConsents />}
    </>
  );
}

function OwnJobs() {
  const jobs = useRead(['start', 'jobs'], (mace, call) => mace.jobs.list({ limit: SHOWN }, call));
  useLive(['job'], ['start', 'jobs']);
  return <Part title="Your jobs" query={jobs} of={(page) => ownJobs(page.jobs)} />;
}

interface Job {
  readonly job_seed: string;
  readonly status: string;
  readonly last_event_at: string;
}

function ownJobs(jobs: readonly Job[]): Attention {
  if (jobs.length === 0) return NO_JOB;
  const running = jobs.filter(({ status }) => status !== 'ended').length;
  return {
    state: 'good',
    headline: running === 0 ? 'No job of the latest runs' : `${running} of the latest run`,
    children: (
      <>
        <ul className={styles.list}>
          {jobs.map(({ job_seed, status, last_event_at }) => (
            <li key={job_seed} className={styles.item}>
              <Link to="/jobs/$seed" params={{ seed: job_seed }}>
                <VisibleText text={job_seed} />
              </Link>
              <span className={styles.muted}>
                {status}, {inWords(last_event_at)}
              </span>
            </li>
          ))}
        </ul>
        <Link to="/jobs">All your jobs</Link>
      </>
    ),
  };
}

const NO_JOB: Attention = {
  state: 'good',
  headline: 'You have no job yet',
  children: (
    <>
      <p>Start one with your token in $AGENT:</p>
      <Command
        text={`curl -s ${window.location.origin}/v1/jobs -H "Authorization: Bearer $AGENT" -H 'Content-Type: application/json' -d '{"goal": "Learn a colour"}'`}
      />
    </>
  ),
};

/** The newest proposals are on the last page of the list, so all pages up to a limit are read. */
const PROPOSALS = 500;

function OwnProposals() {
  const proposals = useRead(['start', 'proposals'], (mace, call) =>
    mace.actionRequests.list({ limit: PROPOSALS }, call),
  );
  useLive(['request'], ['start', 'proposals']);
  useLive(['request'], ['start', 'proposal']);
  return (
    <Part
      title="Your proposals"
      query={proposals}
      of={({ action_requests }) => ownProposals(action_requests.toReversed())}
    />
  );
}

function ownProposals(proposals: readonly ActionRequestListing[]): Attention {
  const asked = proposals.filter(
    ({ status, awaits_answer }) => status === 'pending' && awaits_answer,
  );
  const pending = proposals.filter(({ status }) => status === 'pending').length;
  if (proposals.length === 0)
    return {
      state: 'good',
      headline: 'You have proposed nothing yet',
      children: <p>Propose a fact with POST /v1/action-requests. Its outcome then stands here.</p>,
    };
  return {
    state: asked.length === 0 ? 'good' : 'warning',
    headline:
      asked.length === 0
        ? `${pending} of ${proposals.length} wait for the council`
        : `${asked.length} ${asked.length === 1 ? 'proposal has a question' : 'proposals have questions'} for you`,
    children: (
      <>
        {asked.map(({ request_id }) => (
          <AnswerForm key={request_id} requestId={request_id} />
        ))}
        <ul className={styles.list}>
          {proposals.slice(0, SHOWN).map((proposal) => (
            <Proposal key={proposal.request_id} proposal={proposal} />
          ))}
        </ul>
      </>
    ),
  };
}

const OUTCOMES: Readonly<
  Record<ActionRequestListing['status'], readonly ['plain' | 'good' | 'warning' | 'bad', string]>
> = {
  pending: ['warning', 'waits for the council'],
  approved: ['good', 'approved'],
  executed: ['good', 'approved and written'],
  execution_refused: ['bad', 'approved, but not written'],
  rejected: ['bad', 'rejected'],
  expired: ['plain', 'expired'],
};

function Proposal({ proposal }: { readonly proposal: ActionRequestListing }) {
  const { target_sem_key, kind, status, decided_at, expires_at } = proposal;
  const [badge, words] = OUTCOMES[status];
  return (
    <li className={styles.item}>
      <VisibleText text={target_sem_key ?? kind} />
      <span className={styles.muted}>
        <Badge kind={badge}>{words}</Badge>{' '}
        {decided_at === null ? `expires ${inWords(expires_at)}` : inWords(decided_at)}
      </span>
    </li>
  );
}

function OwnConsents() {
  const consents = useRead(['consents', 'own'], (mace, call) => mace.privacy.consents(call));
  useLive(['consent'], ['consents', 'own']);
  return <Part title="Your consents" query={consents} of={ownConsents} />;
}

function ownConsents(consents: readonly Consent[]): Attention {
  const given = consents.filter(({ revoked_at }) => revoked_at === null).length;
  return {
    state: 'good',
    headline: given === 0 ? 'You have given no consent' : `${given} in force`,
    children: (
      <>
        {given === 0 && <p>Personal data of yours is redacted or refused.</p>}
        <Link to="/privacy">Give or revoke a consent</Link>
      </>
    ),
  };
}
