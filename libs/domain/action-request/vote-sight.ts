import { hasRole, personOf } from '../ownership/access.js';
import type { Actor, RecordedEvent } from '../recorded-event.js';
import type { VoteCast } from './events.js';
import { idsOf, isOneOf } from './person.js';
import { type ActionRequestState, requestStream } from './state.js';

/** True for a caller who may vote on requests, if neither made by nor for this caller (SPEC G2). */
export const isReviewer = (actor: Actor): boolean => hasRole(actor, 'council', 'admin');

export const isOwnVote = (actor: Actor, { voter }: Pick<VoteCast, 'voter'>): boolean =>
  isOneOf(personOf(actor), idsOf(voter));

/** True for a caller who only audits, and so sees every vote at once. */
export const seesEveryVote = (actor: Actor): boolean =>
  hasRole(actor, 'auditor') && !isReviewer(actor);

/**
 * True if the caller sees the votes of others: once the request is closed, after the caller's own vote on the
 * current value, and as an auditor. Until then nobody else sees them, so no member votes under their influence.
 */
export const seesVotes = (actor: Actor, { status, votes }: ActionRequestState): boolean =>
  status !== 'pending' ||
  seesEveryVote(actor) ||
  (isReviewer(actor) && votes.some((cast) => isOwnVote(actor, cast)));

/**
 * Returns the event of a vote as a stream of events shows it. It never has the vote of another to anybody but
 * auditors, because it may be read before the request is closed; the request itself shows the votes then.
 */
export function voteEventFor<Event extends RecordedEvent>(actor: Actor, event: Event): Event {
  if (event.type !== 'vote_cast' || !event.stream.startsWith(requestStream(''))) return event;
  const cast = event.data as unknown as VoteCast;
  if (seesEveryVote(actor) || isOwnVote(actor, cast)) return event;
  const { proposal_hash, at } = cast;
  return { ...event, data: { proposal_hash, at, hidden: true } };
}
