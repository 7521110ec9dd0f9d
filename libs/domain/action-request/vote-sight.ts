import { sameUser } from '../canonical-key/canonical-key.js';
import { hasRole, personOf } from '../ownership/access.js';
import type { Actor, RecordedEvent } from '../recorded-event.js';
import { requestStream } from '../stream-names.js';
import { eventOfType } from '../upcast.js';
import { actionRequestSchemas, type Person, type VoteCast } from './events.js';
import { type ActionRequestState, evolveActionRequest } from './state.js';

export const idsOf = ({ sub, user_id }: Person): readonly string[] =>
  user_id === null ? [sub] : [sub, user_id];

/** True if one of a person's ids is among these ids, however it is spelled (SPEC I9). */
export const isOneOf = (person: Person, ids: readonly string[]): boolean =>
  idsOf(person).some((id) => ids.some((other) => sameUser(id, other)));

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

/** The same as `seesVotes`, for a row of the list of requests. */
export const seesVotesOfRow = (
  actor: Actor,
  { status, own_vote }: Pick<ActionRequestState, 'status'> & { readonly own_vote: string | null },
): boolean =>
  status !== 'pending' || seesEveryVote(actor) || (isReviewer(actor) && own_vote !== null);

/**
 * Returns the number of the first event whose hash covers a hidden vote: the first vote of another. Its hash and the hash
 * of every event after it cover the vote, which has three values, so they can be compared with hashes of guesses
 * (SPEC I6). Infinity without one.
 */
export function firstHiddenIn(actor: Actor, events: readonly RecordedEvent[]): number {
  const vote = events.find((event) => {
    const cast = voteIn(event);
    return cast !== undefined && !isOwnVote(actor, cast);
  });
  return vote?.number ?? Infinity;
}

const FOLD = { schemas: actionRequestSchemas, evolve: evolveActionRequest };

const voteIn = (stored: RecordedEvent): VoteCast | undefined =>
  eventOfType(FOLD, stored, 'vote_cast')?.data;

/**
 * Returns an event of a request as a stream of events shows it. Only auditors see the votes of others, because the
 * request may still be open; after it closes, the request itself shows the votes. Hashes that cover such a vote are
 * left out as well: equal votes have equal hashes, so a hash could show the vote.
 */
export function requestEventFor<Event extends RecordedEvent>(actor: Actor, event: Event): Event {
  const { stream, number } = event;
  if (!stream.startsWith(requestStream('')) || number === 0 || seesEveryVote(actor)) return event;
  const cast = voteIn(event);
  if (cast === undefined) return { ...event, metadata: { ...event.metadata, hash: null } };
  if (isOwnVote(actor, cast)) return event;
  const { proposal_hash, at } = cast;
  const metadata = { ...event.metadata, hash: null, body_hash: null };
  return { ...event, data: { proposal_hash, at, hidden: true }, metadata };
}
