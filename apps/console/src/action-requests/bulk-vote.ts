import type { ActionRequestListing } from '#client/index.js';
import type { Draft } from './drafts';
import type { Ballot } from './held-votes';
import { useHold } from './held-votes-provider';
import { seenRequest } from './target';

/** Returns the function that votes on several requests as the queue showed them. They are held as one vote. */
export function useBulkVote() {
  const hold = useHold();
  return (
    rows: readonly ActionRequestListing[],
    ballot: Omit<Ballot, 'requests' | 'typed'>,
    typed: Draft,
  ): void => {
    const hasTyped = Object.values(typed).some((text) => text !== '');
    const kept = hasTyped ? { ...typed, mode: ballot.vote } : {};
    hold({ ...ballot, requests: rows.map(seenRequest), typed: kept }, true);
  };
}
