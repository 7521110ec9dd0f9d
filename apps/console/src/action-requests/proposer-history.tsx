import { Link } from '@tanstack/react-router';
import type { ActionRequest, Dossier } from '#client/index.js';
import { Badge } from '../ui/badge';
import { VisibleText } from '../ui/visible-text';
import { STATUSES } from './queue-search';
import styles from './requests.module.css';
import { deadlineWords, nameOf, STATUS_WORDS } from './words';

interface ProposerHistoryProps {
  readonly request: ActionRequest;
  readonly history: Dossier['proposer_history'];
}

/** Who proposes, what else this proposer has proposed, and how that ended. */
export function ProposerHistory({ request, history }: ProposerHistoryProps) {
  const { proposer, made_for } = request;
  const counted = STATUSES.filter((status) => (history.by_status[status] ?? 0) > 0);
  return (
    <section className={styles.section}>
      <h2>Proposer</h2>
      <p>
        <VisibleText text={proposer.sub} />
        {made_for !== null && (
          <>
            , about the user <VisibleText text={made_for} />
          </>
        )}
        .{' '}
        <Link to="/requests" search={{ proposer: proposer.sub }}>
          All its pending requests
        </Link>
      </p>
      <p className={styles.state}>
        {counted.map((status) => (
          <Badge key={status}>
            {history.by_status[status]} {STATUS_WORDS[status].toLowerCase()}
          </Badge>
        ))}
      </p>
      {history.others.length === 0 ? (
        <p>It has proposed nothing else.</p>
      ) : (
        <ul className={styles.entries}>
          {history.others.map((other) => (
            <li key={other.request_id}>
              <Link to="/requests/$id" params={{ id: other.request_id }}>
                {nameOf(other)}
              </Link>{' '}
              <span className={styles.muted}>{deadlineWords(other)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
