import type { ActionRequestListing } from '#client/index.js';
import { useAnnounce } from '../ui/announcer';
import type { Draft } from './drafts';
import type { Ballot } from './held-votes';
import { useHeldVotes, voteWords } from './held-votes-provider';
import { changesOf, shortNameOf } from './target';

/** Returns the function that votes on several requests as the queue showed them. They are held as one vote. */
export function useBulkVote() {
  const votes = useHeldVotes();
  const announce = useAnnounce();
  return (
    rows: readonly ActionRequestListing[],
    ballot: Omit<Ballot, 'requests' | 'typed'>,
    typed: Draft,
  ): void => {
    const requests = rows.map((row) => ({
      request_id: row.request_id,
      proposal_hash: row.proposal_hash,
      name: shortNameOf(row),
      changes: changesOf(row),
    }));
    const hasTyped = Object.values(typed).some((text) => text !== '');
    votes.hold(
      { ...ballot, requests, typed: hasTyped ? { ...typed, mode: ballot.vote } : {} },
      true,
    );
    announce(`${voteWords({ ...ballot, requests })}. Press z to undo.`);
  };
}
