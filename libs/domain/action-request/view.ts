import { entityIdOf, foldUserId, isUserOrEntity } from '../canonical-key/canonical-key.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf, type Held } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import {
  mayReadJob,
  ownedBy,
  type OwnedBy,
  ownUserId,
  personOf,
  readsEveryOwner,
} from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import { redactedView } from '../privacy/redact.js';
import type { PutFact } from '../sem/decide.js';
import type { ActionRequested, VoteCast } from './events.js';
import { withoutGatedValue } from './gated-value.js';
import type { RequestSources } from './source-events.js';
import {
  type ActionRequestState,
  awaitsAnswer,
  type EarlierVersion,
  type Revised,
  snoozedUntil,
} from './state.js';
import { isOwnVote, seesReviewWork, seesVotes } from './vote-sight.js';

interface ShownVote {
  readonly cast: VoteCast;
  readonly source_event: Json;
}

/** @param seesRisk true for a caller who sees the risk of requests (SPEC G9) */
const votesView = (votes: readonly ShownVote[], seesRisk: boolean): Json =>
  votes.map(({ cast, source_event }) => {
    const { voter, vote, reason, reason_code = null, risk = null, at } = cast;
    return { voter, vote, reason, reason_code, risk: seesRisk ? risk : null, at, source_event };
  });

const withoutGated = (request: ActionRequested) => {
  const {
    redactions: _,
    large_change: __,
    unfound_evidence: ___,
    ...rest
  } = withoutGatedValue(request);
  return rest;
};

/** Returns the values of a request that may be sealed: the current one, then the earlier ones. */
export const valuesOf = ({ request, earlier = [] }: ActionRequestState): readonly Held[] =>
  request === null ? [] : [request, ...earlier.map(({ held }) => held)];

/** What a caller sees of a request. */
export interface RequestSight {
  /** The values of `valuesOf` as the caller sees them; redacted by default. */
  readonly shown?: readonly Json[];
  /** The caller; without one, every vote is shown. */
  readonly viewer?: Actor;
  /** The events of the request, as the view shows them; null by default. */
  readonly sources?: RequestSources<Json>;
}

/** The answer of `action-requests/{id}` (SPEC §13). */
export function requestView(
  state: ActionRequestState,
  { shown = valuesOf(state).map(redactedView), viewer, sources }: RequestSight = {},
): Json {
  const { request, status, votes, revised = null, earlier = [], discussion = [] } = state;
  const votes_hidden = viewer !== undefined && !seesVotes(viewer, state);
  const seesRisk = viewer === undefined || readsEveryOwner(viewer);
  // The stream has the votes on earlier values before those on the current one.
  const visible = (votesOnValue: readonly VoteCast[], before: number): Json => {
    const withEvents = votesOnValue.map((cast, index) => ({
      cast,
      source_event: sources?.votes[before + index] ?? null,
    }));
    return votesView(
      votes_hidden ? withEvents.filter(({ cast }) => isOwnVote(viewer, cast)) : withEvents,
      seesRisk,
    );
  };
  const revisedView = (revision: Revised | null): Json =>
    revision && { ...revision, source_event: sources?.revisions[revision.revision - 1] ?? null };
  const { decided_at, rejected_for, link, refusal_code } = state;
  const isPerformed = status === 'executed' || status === 'execution_refused';
  if (request === null) return null;
  return {
    ...withoutGated(request),
    value: shown[0] ?? null,
    status,
    source_event: sources?.request ?? null,
    votes: visible(votes, votesIn(earlier)),
    votes_hidden,
    votes_cast: votes.length,
    // With this number, an abstention among hidden votes could be computed.
    votes_counted: votes_hidden ? null : votes.filter(({ vote }) => vote !== 'abstain').length,
    revised: revisedView(revised),
    earlier_versions: earlier.map(({ held: _, ...version }, index) => ({
      ...version,
      value: shown[index + 1] ?? null,
      votes: visible(version.votes, votesIn(earlier.slice(0, index))),
      revised: revisedView(version.revised),
    })),
    discussion: discussion.map((remark, index) => ({
      ...remark,
      source_event: sources?.remarks[index] ?? null,
    })),
    awaits_answer: awaitsAnswer(state),
    ...workView(state, request, { viewer, sources }),
    decided_at,
    rejected_for,
    decision_event: status === 'pending' ? null : (sources?.decision ?? null),
    execution: link,
    execution_event: isPerformed ? (sources?.execution ?? null) : null,
    refusal_code,
  };
}

/** What the reviewers do among themselves. Those by and for whom the request was made see nothing of it. */
function workView(
  state: ActionRequestState,
  request: ActionRequested,
  { viewer, sources }: Pick<RequestSight, 'viewer' | 'sources'>,
) {
  const { assigned_to = null, comments = [] } = state;
  const sees = viewer === undefined || seesReviewWork(viewer, request);
  return {
    assigned_to: sees ? assigned_to : null,
    comments: (sees ? comments : []).map((comment, index) => ({
      ...comment,
      source_event: sources?.comments[index] ?? null,
    })),
    snoozed_until: viewer === undefined ? null : snoozedUntil(personOf(viewer), state),
  };
}

const votesIn = (versions: readonly EarlierVersion[]): number =>
  versions.reduce((sum, { votes }) => sum + votes.length, 0);

/** The requests that an actor may read if it does not read those of every owner (SPEC G2, I9). */
export interface ReadableRequests {
  /** Selects the requests that the actor has proposed. */
  readonly proposer: OwnedBy;
  /** Selects the requests that concern the actor's user: the raw id, folded, and the entity id. */
  readonly made_for: { readonly user: string; readonly entity: string | null } | null;
}

export function requestsReadableBy(actor: Actor): ReadableRequests {
  const own = ownUserId(actor);
  const proposer = ownedBy(actor);
  if (own === undefined) return { proposer, made_for: null };
  return { proposer, made_for: { user: foldUserId(own), entity: entityIdOf(own) ?? null } };
}

/** True for the proposer, the user whom the request concerns, the council, auditors and admins (SPEC G2, I9). */
export function mayReadProposal(
  actor: Actor,
  { proposer, made_for }: Pick<ActionRequested, 'proposer' | 'made_for'>,
): boolean {
  if (mayReadJob(actor, proposer)) return true;
  const own = ownUserId(actor);
  return own !== undefined && made_for !== null && isUserOrEntity(own, made_for);
}

/** The same as `mayReadProposal`, for a folded request; false if the request does not exist. */
export const mayReadRequest = (actor: Actor, { request }: ActionRequestState): boolean =>
  request !== null && mayReadProposal(actor, request);

/**
 * Returns the one sem_put that executes an approved request. It has the request's source, the time of
 * the approval, and the request's id as provenance (SPEC G3); `meta` also names the reviewer who revised
 * the value (SPEC G8). @throws Refusal VERSION_CONFLICT if the request was not approved.
 */
export function approvedPut(state: ActionRequestState): PutFact {
  const { request, status, decided_at, stream, revised } = state;
  if (request === null || decided_at === null || status !== 'approved') {
    const [what, expected, actual] = [stream, 'approved', status];
    throw new Refusal('VERSION_CONFLICT', { what, expected, actual });
  }
  const { source, request_id } = request;
  const origin: JsonObject = { provenance_id: request_id };
  const meta = revised === undefined ? origin : { ...origin, editor: revised.editor.sub };
  const times = { timestamp: decided_at, now: decided_at };
  return { type: 'put', ...heldOf(request), source, notes: null, meta, ...times };
}
