import { readsEveryOwner } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { ActionRequestState } from './state.js';

/** The place of a write in the log. */
export interface WritePlace {
  readonly stream: string;
  readonly number: number;
}

/** A member's vote for a request. */
export type ApprovingVote = { readonly sub: string; readonly at: string };

/** Who approved a write, as a caller sees it. */
export type ApprovedBy = {
  readonly request_id: string;
  readonly decided_at: string;
  /** The number of votes for it. */
  readonly approvals: number;
  /** The members who voted for it; only for callers who read every request. */
  readonly voters?: readonly ApprovingVote[];
};

/**
 * True if the approval of a request led to this write. A caller may write any text into the `meta` of a fact, so it is the
 * request itself that names the write (SPEC G3).
 */
export const ledTo = ({ link }: ActionRequestState, { stream, number }: WritePlace): boolean =>
  link !== null && link.sem_stream === stream && link.sem_event_number === number;

/** Returns who approved a request, as a caller sees it; null if nobody has. */
export function approvedBy(
  actor: Actor,
  { request, status, decided_at, votes }: ActionRequestState,
): ApprovedBy | null {
  const isApproved = ['approved', 'executed', 'execution_refused'].includes(status);
  if (request === null || decided_at === null || !isApproved) return null;
  const voters = votes
    .filter(({ vote }) => vote === 'approve')
    .map(({ voter, at }) => ({ sub: voter.sub, at }));
  const approval = { request_id: request.request_id, decided_at, approvals: voters.length };
  return readsEveryOwner(actor) ? { ...approval, voters } : approval;
}
