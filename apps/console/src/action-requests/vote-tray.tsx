import { useEffect, useState } from 'react';
import { ChangeLine } from '../changes/change-line';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { VisibleText } from '../ui/visible-text';
import { HOLD_MS, type HeldVote } from './held-votes';
import { useHeldState, useHeldVotes, VOTED_WORDS, voteWords } from './held-votes-provider';
import { VOTE_KEYS } from './key-tables';
import { KeyHint } from '../keys/key-hint';
import { useKeys } from '../keys/use-keys';
import styles from './vote-tray.module.css';

/** The votes that can still be undone, or that have no answer yet. It stands at the end of the window. */
export function VoteTray() {
  const { held } = useHeldState();
  const votes = useHeldVotes();
  const announce = useAnnounce();
  const last = held.findLast(({ stage }) => stage === 'held');
  const undo = (vote: HeldVote): void => {
    if (votes.undo(vote.id)) announce(`Undone: ${voteWords(vote)}.`);
  };
  useKeys(VOTE_KEYS, { undo: last && (() => undo(last)) });
  const now = useNow(last !== undefined);
  if (held.length === 0) return null;
  return (
    <section className={styles.tray} aria-label="Votes on their way">
      <ul className={styles.votes}>
        {held.map((vote) => (
          <li key={vote.id} className={styles.vote}>
            <div className={styles.words}>
              <Words vote={vote} />
            </div>
            <span className={styles.state}>{stateWords(vote, now)}</span>
            <div className={styles.actions}>
              {vote.stage === 'held' && (
                <Button onClick={() => undo(vote)}>
                  Undo {vote === last && <KeyHint of={VOTE_KEYS.undo} />}
                </Button>
              )}
              {vote.stage !== 'sent' && (
                <Button kind="quiet" onClick={() => votes.sendNow(vote.id)}>
                  Send now
                </Button>
              )}
            </div>
            {vote.stage === 'held' && (
              <span className={styles.time} style={{ animationDuration: `${HOLD_MS}ms` }} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Words({ vote: { vote, isBulk, requests } }: { readonly vote: HeldVote }) {
  const lines = requests.map(({ request_id, name, changes }) => (
    <span key={request_id} className={styles.line}>
      {!isBulk && VOTED_WORDS[vote]}{' '}
      <code>
        <VisibleText text={name} />
      </code>{' '}
      <ChangeLine changes={changes} />
    </span>
  ));
  if (!isBulk) return lines;
  return (
    <>
      <strong>{voteWords({ vote, requests })}</strong>
      <div className={styles.lines} tabIndex={0} role="group" aria-label="Their values">
        {lines}
      </div>
    </>
  );
}

function stateWords({ stage, dueAt, problem }: HeldVote, now: number): string {
  if (stage === 'sent') return 'Being sent …';
  if (stage === 'unanswered')
    return `Not answered yet, sent again by itself${problem === undefined ? '.' : `: ${problem}`}`;
  return `Sent in ${Math.max(1, Math.ceil((dueAt - now) / 1_000))} s`;
}

/** Returns the time, which goes on while something is counted down. */
function useNow(isCounting: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isCounting) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
}
