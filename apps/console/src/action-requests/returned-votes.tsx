import { Link } from '@tanstack/react-router';
import { ChangeLine } from '../changes/change-line';
import { Button } from '../ui/button';
import { VisibleText } from '../ui/visible-text';
import { useHeldState, useHeldVotes, VOTED_WORDS } from './held-votes-provider';
import styles from './requests.module.css';

/** Says which votes the service refused. Their requests stand first in the queue, with what had been typed. */
export function ReturnedVotes() {
  const { returned } = useHeldState();
  const votes = useHeldVotes();
  return (
    <div role="alert" className={styles.returned}>
      {returned.map(({ request_id, name, changes, vote, why }) => (
        <section key={request_id} aria-label={`Not counted: ${name}`}>
          <p>
            <strong>Your vote was not counted.</strong> {VOTED_WORDS[vote]}{' '}
            <code>
              <VisibleText text={name} />
            </code>{' '}
            <ChangeLine changes={changes} />
          </p>
          <p>
            <VisibleText text={why} /> What you have typed is kept.
          </p>
          <div className={styles.actions}>
            <Link to="/requests/$id" params={{ id: request_id }}>
              Look at it again
            </Link>
            <Button kind="quiet" onClick={() => votes.dismiss(request_id)}>
              Dismiss
            </Button>
          </div>
        </section>
      ))}
    </div>
  );
}
