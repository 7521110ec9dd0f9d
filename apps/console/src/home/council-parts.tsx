import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionRequestListing } from '#client/index.js';
import { useHeldState } from '../action-requests/held-votes-provider';
import { type QueuePart, withoutRows } from '../action-requests/queue-rows';
import { useRead } from '../data/queries';
import { useLive } from '../live/live';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { Command } from '../ui/command';
import { inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import { Digest } from './digest';
import { type Attention, Part } from './part';
import styles from './start-page.module.css';

const WAITING = ['start', 'requests'] as const;
const ANSWERED = ['start', 'answers'] as const;
const DAY_MS = 86_400_000;
/** How many requests the page looks at for deadlines, and how many it shows. */
const LOOKED_AT = 100;
const SHOWN = 5;

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What waits for a reviewer: requests without this person's vote, and answers to the questions that were asked. */
export const CouncilParts = () => (
  <>
    <Digest />
    <Waiting />
    <Answers />
  </>
);

/** The requests that wait for this person's vote, what expires first before the others. */
function Waiting() {
  const waiting = useRead(WAITING, (mace, call) =>
    mace.actionRequests.list(
      {
        ...{ status: 'pending', voted: 'false', order: 'deadline', counts: 'true' },
        limit: LOOKED_AT,
      },
      call,
    ),
  );
  useLive(['request'], WAITING);
  const withoutHeld = useWithoutHeld();
  const attention = (page: QueuePart): Attention => attentionOf(withoutHeld(page));
  return <Part title="Requests for your vote" query={waiting} of={attention} />;
}

/** Returns the function that leaves out of a page what has this person's vote, although the vote is still held. */
function useWithoutHeld(): (page: QueuePart) => QueuePart {
  const { ids } = useHeldState();
  return (page) => withoutRows([page], ids)[0] ?? page;
}

/** The requests whose proposer has answered a reviewer, those that this person asked about first. */
function Answers() {
  const mace = useMace();
  const answers = useQuery({
    queryKey: ANSWERED,
    queryFn: async ({ signal }) => {
      const page = { status: 'pending', voted: 'false', order: 'deadline', limit: SHOWN } as const;
      const [own, all] = await Promise.all([
        mace.actionRequests.list({ ...page, question: 'answered_caller' }, { signal }),
        mace.actionRequests.list({ ...page, question: 'answered', counts: 'true' }, { signal }),
      ]);
      const others = all.action_requests.filter(({ answers_caller }) => !answers_caller);
      const action_requests = [...own.action_requests, ...others].slice(0, SHOWN);
      return { ...all, action_requests };
    },
  });
  useLive(['request'], ANSWERED);
  const withoutHeld = useWithoutHeld();
  const attention = (page: QueuePart): Attention => answeredOf(withoutHeld(page));
  return <Part title="Answers to questions" query={answers} of={attention} />;
}

function answeredOf({ action_requests: requests, counts }: QueuePart): Attention {
  const count = counts?.by_question['answered'] ?? requests.length;
  const own = counts?.by_question['answered_caller'] ?? 0;
  if (count === 0) return { state: 'good', headline: 'No answer waits for a reviewer' };
  return {
    state: own > 0 ? 'bad' : 'warning',
    headline:
      own > 0
        ? `${many(own, 'proposer')} answered you`
        : `${many(count, 'proposer')} answered another reviewer`,
    children: (
      <>
        <ul className={styles.list}>
          {requests.map((request) => (
            <AnsweredRequest key={request.request_id} request={request} />
          ))}
        </ul>
        <Link to="/requests" search={{ question: own > 0 ? 'answered_caller' : 'answered' }}>
          All of these requests
        </Link>
      </>
    ),
  };
}

function AnsweredRequest({ request }: { readonly request: ActionRequestListing }) {
  const { request_id, answers_caller, answered_at, expires_at } = request;
  return (
    <li className={styles.item}>
      <Link to="/requests/$id" params={{ id: request_id }} search={{ question: 'answered' }}>
        <VisibleText text={matterOf(request)} />
      </Link>
      <span className={styles.muted}>
        {answers_caller && <Badge kind="good">you asked</Badge>} answered{' '}
        {inWords(answered_at ?? expires_at)}
      </span>
    </li>
  );
}

function attentionOf({ action_requests: requests, counts }: QueuePart): Attention {
  const count = counts?.by_status['pending'] ?? requests.length;
  if (count === 0) return NOTHING;
  const soon = requests.filter(({ expires_at }) => Date.parse(expires_at) < Date.now() + DAY_MS);
  const risky = counts?.by_risk?.['high'] ?? 0;
  return {
    state: soon.length > 0 || risky > 0 ? 'bad' : 'warning',
    headline: `${many(count, 'request')} ${count === 1 ? 'waits' : 'wait'} for your vote`,
    children: (
      <>
        <p>
          {soon.length === 0
            ? 'None expires within a day.'
            : `${many(soon.length, 'request')} ${soon.length === 1 ? 'expires' : 'expire'} within a day.`}{' '}
          {risky > 0 && `${many(risky, 'request')} of high risk.`}
        </p>
        <ul className={styles.list}>
          {requests.slice(0, SHOWN).map((request) => (
            <WaitingRequest key={request.request_id} request={request} />
          ))}
        </ul>
        <Link to="/requests">All requests</Link>
      </>
    ),
  };
}

const NOTHING: Attention = {
  state: 'good',
  headline: 'No request waits for your vote',
  children: (
    <>
      <p>
        Agents propose facts, and you decide on them. To see how that goes, run the demo in the
        folder of the service:
      </p>
      <Command text="npm run demo" />
    </>
  ),
};

/** What a request is about: the key of a proposed fact, or its kind. */
const matterOf = ({ target_sem_key, kind }: ActionRequestListing): string =>
  target_sem_key ?? (kind === 'erasure' ? 'an erasure' : 'consent for sensitive data');

function WaitingRequest({ request }: { readonly request: ActionRequestListing }) {
  const { request_id, expires_at, risk, awaits_answer } = request;
  return (
    <li className={styles.item}>
      <Link to="/requests/$id" params={{ id: request_id }}>
        <VisibleText text={matterOf(request)} />
      </Link>
      <span className={styles.muted}>
        {risk?.level === 'high' && <Badge kind="bad">high risk</Badge>}{' '}
        {awaits_answer && <Badge>waits for an answer</Badge>} expires {inWords(expires_at)}
      </span>
    </li>
  );
}
