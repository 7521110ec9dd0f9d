import { sameUser } from '../canonical-key/canonical-key.js';
import { hasRole, personOf, readsEveryOwner } from '../ownership/access.js';
import type { Actor, RecordedEvent } from '../recorded-event.js';
import type { JsonObject } from '../json.js';
import { requestStream } from '../stream-names.js';
import { eventOf } from '../upcast.js';
import {
  type ActionRequestEvent,
  actionRequestSchemas,
  type GatedText,
  type Person,
  type VoteCast,
} from './events.js';
import { type Requested, idsOf, isOneOf, isConcerned } from './persons.js';
import { type ActionRequestState, evolveActionRequest } from './state.js';

/** True for a caller who sees the comments of the reviewers, and who works on the request. */
export const seesReviewWork = (actor: Actor, requested: Requested): boolean =>
  readsEveryOwner(actor) && !isConcerned(personOf(actor), requested);

/** True for a caller who may vote on requests, if neither made by nor for this caller (SPEC G2). */
export const isReviewer = (actor: Actor): boolean => hasRole(actor, 'council', 'admin');

export const isOwnVote = (actor: Actor, { voter }: Pick<VoteCast, 'voter'>): boolean =>
  isOneOf(personOf(actor), idsOf(voter));

/** True for a caller who audits and cannot vote. */
export const onlyAudits = (actor: Actor): boolean =>
  hasRole(actor, 'auditor') && !isReviewer(actor);

/** True for a caller who only audits, and so sees every vote at once, unless the request was made by or for this caller. */
export const seesEveryVote = (actor: Actor, requested: Requested): boolean =>
  onlyAudits(actor) && !isConcerned(personOf(actor), requested);

/**
 * True if the caller sees the votes of others: once the request is closed, after the caller's own vote on the
 * current value, and as an auditor. Until then nobody else sees them, so no member votes under their influence.
 */
export const seesVotes = (actor: Actor, { status, request, votes }: ActionRequestState): boolean =>
  status !== 'pending' ||
  (request !== null && seesEveryVote(actor, request)) ||
  (isReviewer(actor) && votes.some((cast) => isOwnVote(actor, cast)));

/** The same as `seesVotes`, for a row of the list of requests. */
export const seesVotesOfRow = (
  actor: Actor,
  row: Requested & Pick<ActionRequestState, 'status'> & { readonly own_vote: string | null },
): boolean =>
  row.status !== 'pending' ||
  seesEveryVote(actor, row) ||
  (isReviewer(actor) && row.own_vote !== null);

/**
 * Returns the number of the first event whose hash covers what is hidden from the caller: a vote of another, or the work
 * of another reviewer. Its hash and the hash of every event after it cover the vote, which has three values, or the
 * assignee, so they can be compared with hashes of guesses (SPEC I6). Infinity without one.
 */
export function firstHiddenIn(
  actor: Actor,
  state: ActionRequestState,
  events: readonly RecordedEvent[],
): number {
  const seesWork = state.request !== null && seesReviewWork(actor, state.request);
  const sees = { votes: seesVotes(actor, state), work: seesWork };
  const first = events.find((stored) => {
    const event = eventOf(FOLD, stored);
    const by = reviewerIn(event);
    if (by === undefined || isOneOf(personOf(actor), idsOf(by))) return false;
    return event.type === 'vote_cast' ? !sees.votes : !sees.work;
  });
  return first?.number ?? Infinity;
}

/** True if nothing in the events of a request is hidden from the caller, who may then read their hashes. */
export const seesWholeRecord = (
  actor: Actor,
  state: ActionRequestState,
  events: readonly RecordedEvent[],
): boolean =>
  state.request !== null &&
  seesReviewWork(actor, state.request) &&
  firstHiddenIn(actor, state, events) === Infinity;

const FOLD = { schemas: actionRequestSchemas, evolve: evolveActionRequest };

/** Returns who voted, or worked on the request among the reviewers; undefined for another event. */
export function reviewerIn(event: ActionRequestEvent): Person | undefined {
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

/** The texts of reviewers that are hidden together with the events that they are in. */
const HIDDEN_TEXTS: ReadonlySet<string> = new Set<GatedText>(['vote', 'comment']);

/** True if the caller's own command made the event. */
export const isOwnEvent = ({ sub }: Actor, { metadata }: RecordedEvent): boolean =>
  sameUser(sub, metadata.actor);

/** True for an event with the hashes of personal data that was removed from a text. Equal data has equal hashes. */
export const hasRedactions = ({ data }: RecordedEvent): boolean =>
  Object.hasOwn(data, 'redactions');

/** True for a vote or the work of another reviewer, and for what the privacy gate removed from its text. */
function isHidden(actor: Actor, stored: RecordedEvent): boolean {
  const event = eventOf(FOLD, stored);
  if (event.type === 'pii_redacted')
    return HIDDEN_TEXTS.has(event.data.subject) && !isOwnEvent(actor, stored);
  const reviewer = reviewerIn(event);
  return reviewer !== undefined && !isOneOf(personOf(actor), idsOf(reviewer));
}

/** The type of an event of which a stream of events shows only its place. */
export const HIDDEN_EVENT = 'hidden';

/**
 * Returns an event of a request as a stream of events shows it. Only auditors see the votes and the work of other
 * reviewers, because the request may still be open, and because its proposer never sees the comments; those who may
 * see them find them in the request itself. Others see that there is an event, and its place. Hashes that cover such an
 * event are left out, and so are those of the words of others: equal words have equal hashes, so a caller could compare
 * them with the caller's own guesses.
 * @param requested by and for whom the request was made; undefined for a caller who never sees the votes of others here
 */
export function requestEventFor<Event extends RecordedEvent>(
  actor: Actor,
  stored: Event,
  requested: Requested | undefined,
): Event {
  const { stream, number, data, metadata } = stored;
  if (!isOfRequest(stream)) return stored;
  if (requested !== undefined && seesEveryVote(actor, requested)) return stored;
  if (isHidden(actor, stored))
    return { ...stored, type: HIDDEN_EVENT, data: { hidden: true }, metadata: {} };
  const chained = { ...metadata, hash: number === 0 ? metadata.hash : null };
  if (isOwnEvent(actor, stored)) return { ...stored, metadata: chained };
  return {
    ...stored,
    data: withoutHashes(data),
    metadata: { ...chained, body_hash: null },
  };
}

export const isOfRequest = (stream: string): boolean => stream.startsWith(requestStream(''));

function withoutHashes(data: JsonObject): JsonObject {
  const { redactions } = data;
  if (!Array.isArray(redactions)) return data;
  return {
    ...data,
    redactions: redactions.map((redaction) => ({ ...(redaction as JsonObject), hash: null })),
  };
}
