import { isUserOrEntity, sameUser } from '../canonical-key/canonical-key.js';
import { hasRole, personOf, readsEveryOwner } from '../ownership/access.js';
import type { Actor, RecordedEvent } from '../recorded-event.js';
import { requestStream } from '../stream-names.js';
import { eventOf, eventOfType } from '../upcast.js';
import {
  type ActionRequested,
  type ActionRequestEvent,
  actionRequestSchemas,
  type Person,
  type VoteCast,
} from './events.js';
import { type ActionRequestState, evolveActionRequest } from './state.js';

export const idsOf = ({ sub, user_id }: Person): readonly string[] =>
  user_id === null ? [sub] : [sub, user_id];

/** True if one of a person's ids is among these ids, however it is spelled (SPEC I9). */
export const isOneOf = (person: Person, ids: readonly string[]): boolean =>
  idsOf(person).some((id) => ids.some((other) => sameUser(id, other)));

/**
 * True if the request concerns this person. `made_for` is the user's raw id, or the entity id if the raw
 * id is unknown.
 */
export const isMadeFor = (
  person: Person,
  { made_for }: Pick<ActionRequested, 'made_for'>,
): boolean => made_for !== null && idsOf(person).some((id) => isUserOrEntity(id, made_for));

/** True for those by and for whom the request was made, who do not review it (SPEC G2). */
export const isConcerned = (
  person: Person,
  requested: Pick<ActionRequested, 'proposer' | 'made_for'>,
): boolean => isOneOf(person, idsOf(requested.proposer)) || isMadeFor(person, requested);

/** True for a caller who sees the comments of the reviewers, and who works on the request. */
export const seesReviewWork = (
  actor: Actor,
  requested: Pick<ActionRequested, 'proposer' | 'made_for'>,
): boolean => readsEveryOwner(actor) && !isConcerned(personOf(actor), requested);

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

/** Returns who voted, or worked on the request among the reviewers; undefined for another event. */
function reviewerIn(event: ActionRequestEvent): Person | undefined {
  switch (event.type) {
    case 'vote_cast':
      return event.data.voter;
    case 'request_assigned':
      return event.data.assigned_by;
    case 'comment_added':
      return event.data.comment_by;
    case 'request_snoozed':
      return event.data.snoozed_by;
    default:
      return undefined;
  }
}

/**
 * Returns an event of a request as a stream of events shows it. Only auditors see the votes and the work of other
 * reviewers, because the request may still be open, and because its proposer never sees the comments; those who may
 * see them find them in the request itself. Hashes that cover a vote are left out as well: equal votes have equal
 * hashes, so a hash could show the vote.
 */
export function requestEventFor<Event extends RecordedEvent>(actor: Actor, stored: Event): Event {
  const { stream, number } = stored;
  if (!stream.startsWith(requestStream('')) || number === 0 || seesEveryVote(actor)) return stored;
  const event = eventOf(FOLD, stored);
  const reviewer = reviewerIn(event);
  if (reviewer === undefined) return { ...stored, metadata: { ...stored.metadata, hash: null } };
  if (isOneOf(personOf(actor), idsOf(reviewer))) return stored;
  const { at, proposal_hash } = event.data as {
    readonly at: string;
    readonly proposal_hash?: string;
  };
  const data = { ...(proposal_hash === undefined ? {} : { proposal_hash }), at, hidden: true };
  return { ...stored, data, metadata: { ...stored.metadata, hash: null, body_hash: null } };
}
