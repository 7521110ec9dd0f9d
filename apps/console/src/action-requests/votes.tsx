import type { ActionRequest } from '#client/index.js';
import { Badge } from '../ui/badge';
import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import styles from './review.module.css';
import { SourceReceipt } from './source-receipt';
import { REJECTIONS, RISK_WORDS } from './words';

type VoteCast = ActionRequest['votes'][number];

const VOTE_WORDS = { approve: 'Approved', reject: 'Rejected', abstain: 'Abstained' } as const;
const VOTE_BADGES = { approve: 'good', reject: 'bad', abstain: 'plain' } as const;

/** The votes. Those of others are hidden until the reader's own is cast. */
export function Votes({ request }: { readonly request: ActionRequest }) {
  const { votes, votes_hidden, votes_cast } = request;
  const hidden = votes_cast - votes.length;
  if (votes_cast === 0) return null;
  return (
    <section aria-label="Votes">
      {votes_hidden && hidden > 0 && (
        <p>{hidden === 1 ? 'One vote is' : `${hidden} votes are`} hidden until you have voted.</p>
      )}
      {votes.length > 0 && (
        <details open={request.status !== 'pending'}>
          <summary>Votes ({votes.length})</summary>
          <VoteList requestId={request.request_id} votes={votes} />
        </details>
      )}
    </section>
  );
}

interface VoteListProps {
  readonly requestId: string;
  readonly votes: readonly VoteCast[];
}

export const VoteList = ({ requestId, votes }: VoteListProps) =>
  votes.length > 0 && (
    <ul className={styles.entries}>
      {votes.map((cast) => (
        <li key={`${cast.voter.sub} ${cast.at}`}>
          <p className={styles.state}>
            <Badge kind={VOTE_BADGES[cast.vote]}>{VOTE_WORDS[cast.vote]}</Badge>
            <VisibleText text={cast.voter.sub} />
            <span>
              <Instant at={cast.at} />
            </span>
            <SourceReceipt requestId={requestId} event={cast.source_event} />
          </p>
          <p>
            {cast.reason_code !== null && (
              <strong>{REJECTIONS.find(({ code }) => code === cast.reason_code)?.label}: </strong>
            )}
            <VisibleText text={cast.reason} />
          </p>
          {cast.risk !== null && (
            <p className={styles.muted}>{RISK_WORDS[cast.risk.level]} at the time of the vote</p>
          )}
        </li>
      ))}
    </ul>
  );
