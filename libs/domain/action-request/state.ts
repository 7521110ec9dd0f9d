import { heldOf, type Held } from '../held.js';
import type { JobOwner } from '../job/events.js';
import type { DeletionData, ErasureOrdered } from './erasure.js';
import { gatedValueOf, withoutGatedValue } from './gated-value.js';
import type { Json } from '../json.js';
import { changeOf } from './large-change.js';
import { nameOfPerson } from './persons.js';
import type {
  ActionRequested,
  ActionRequestEvent,
  ActionRequestStatus,
  ExecutionLink,
  Person,
  ProposalRevised,
  RequestSnoozed,
  SpanCleared,
  VoteCast,
} from './events.js';

/** The reviewer who proposed the current value, with the reason (SPEC G8). */
export type Revised = Pick<ProposalRevised, 'revision' | 'editor' | 'reason' | 'at'>;

/** A value that a revision replaced, with the votes on it, which no longer count (SPEC G8). */
export type EarlierVersion = {
  readonly held: Held;
  readonly proposal_hash: string;
  readonly votes: readonly VoteCast[];
  /** Null for the value that the proposer proposed. */
  readonly revised: Revised | null;
};

/** A question to the proposer, or the proposer's answer to the questions before it (SPEC G8). */
export type Remark = {
  readonly kind: 'question' | 'answer';
  readonly by: Person;
  readonly text: string;
  readonly at: string;
};

/** A member's word that a finding is not personal data (SPEC W8). */
export type Clearance = Pick<SpanCleared, 'cleared_by' | 'finding' | 'reason' | 'at'>;
/** A comment of a reviewer for the other reviewers. */
export type Comment = { readonly by: Person; readonly text: string; readonly at: string };

/** Until when a reviewer has put the request off. */
export type Snooze = { readonly by: Person; readonly until: string };

export interface ActionRequestState {
  readonly stream: string;
  /** The request with its current value and hash; null before the event `action_requested`. */
  readonly request: ActionRequested | null;
  readonly status: ActionRequestStatus;
  /** The votes on the current value. */
  readonly votes: readonly VoteCast[];
  /** The last revision. Missing without one, so that the states of earlier releases keep their hash. */
  readonly revised?: Revised;
  readonly earlier?: readonly EarlierVersion[];
  /** The findings in the current value that members have cleared. Missing without one. */
  readonly clearances?: readonly Clearance[];
  readonly discussion?: readonly Remark[];
  /** The sub of the reviewer who works on it. */
  readonly assigned_to?: string | null;
  readonly comments?: readonly Comment[];
  readonly snoozes?: readonly Snooze[];
  /** Who assigned the request, and who put it off, once for each time. */
  readonly assigners?: readonly Person[];
  readonly snoozers?: readonly Person[];
  /** When the request was decided: the time of the deciding vote or of the expiry. */
  readonly decided_at: string | null;
  readonly rejected_for: 'votes' | 'tie' | null;
  readonly link: ExecutionLink | null;
  /** The code of the event `execution_refused`; null without that event. */
  readonly refusal_code: string | null;
  /** The admin's order of an erasure, and what it destroyed. */
  readonly erasure?: ErasureOrdered;
  readonly deletion?: DeletionData;
}

export const initialActionRequest = (stream: string): ActionRequestState => ({
  stream,
  request: null,
  status: 'pending',
  votes: [],
  decided_at: null,
  rejected_for: null,
  link: null,
  refusal_code: null,
});

export function evolveActionRequest(
  state: ActionRequestState,
  event: ActionRequestEvent,
): ActionRequestState {
  switch (event.type) {
    case 'action_requested':
      return { ...state, request: event.data };
    case 'episode_written':
    case 'pii_redacted':
      return state;
    case 'vote_cast':
      return { ...state, votes: [...state.votes, event.data] };
    case 'proposal_revised':
      return revise(state, event.data);
    case 'span_cleared': {
      const { cleared_by, finding, reason, at } = event.data;
      const { clearances = [] } = state;
      return { ...state, clearances: [...clearances, { cleared_by, finding, reason, at }] };
    }
    case 'question_asked': {
      const { asked_by: by, question: text, at } = event.data;
      return remarked(state, { kind: 'question', by, text, at });
    }
    case 'question_answered': {
      const { answered_by: by, answer: text, at } = event.data;
      return remarked(state, { kind: 'answer', by, text, at });
    }
    case 'request_assigned': {
      const { assigned_to, assigned_by } = event.data;
      return { ...state, assigned_to, assigners: [...(state.assigners ?? []), assigned_by] };
    }
    case 'comment_added': {
      const { comment_by: by, text, at } = event.data;
      return { ...state, comments: [...(state.comments ?? []), { by, text, at }] };
    }
    case 'request_snoozed':
      return snoozed(state, event.data);
    case 'request_approved':
      return { ...state, status: 'approved', decided_at: event.data.at };
    case 'request_rejected': {
      const { at, reason } = event.data;
      return { ...state, status: 'rejected', decided_at: at, rejected_for: reason };
    }
    case 'request_expired':
      return { ...state, status: 'expired', decided_at: event.data.at };
    case 'erasure_approved':
      return { ...state, status: 'approved', decided_at: event.data.at };
    case 'erasure_ordered':
      return { ...state, erasure: event.data };
    case 'deletion_event':
      return { ...state, status: 'executed', deletion: event.data };
    case 'request_executed':
      return { ...state, status: 'executed', link: event.data };
    case 'execution_refused': {
      const { code, link } = event.data;
      return { ...state, status: 'execution_refused', refusal_code: code, link };
    }
  }
}

function revise(state: ActionRequestState, data: ProposalRevised): ActionRequestState {
  const { clearances: _, ...rest } = state;
  const { request, votes, revised = null, earlier = [] } = state;
  if (request === null) return state;
  const { revision, editor, reason, at, proposal_hash } = data;
  const { large_change: __, ...before } = withoutGatedValue(request);
  return {
    ...rest,
    request: { ...before, ...gatedValueOf(data), ...changeOf(data), proposal_hash },
    votes: [],
    revised: { revision, editor, reason, at },
    earlier: [
      ...earlier,
      { held: heldOf(request), proposal_hash: request.proposal_hash, votes, revised },
    ],
  };
}

const remarked = (state: ActionRequestState, remark: Remark): ActionRequestState => ({
  ...state,
  discussion: [...(state.discussion ?? []), remark],
});

function snoozed(
  state: ActionRequestState,
  { snoozed_by: by, until }: RequestSnoozed,
): ActionRequestState {
  const others = (state.snoozes ?? []).filter((snooze) => !isSnoozeOf(by, snooze));
  const snoozes = until === null ? others : [...others, { by, until }];
  return { ...state, snoozes, snoozers: [...(state.snoozers ?? []), by] };
}

const isSnoozeOf = (person: Person, { by }: Snooze): boolean =>
  nameOfPerson(by) === nameOfPerson(person);

/** Returns until when a person has put the request off; null if it has not. */
export const snoozedUntil = (person: Person, { snoozes = [] }: ActionRequestState): string | null =>
  snoozes.find((snooze) => isSnoozeOf(person, snooze))?.until ?? null;

/** Returns the state as the hashes of earlier releases cover it: the counts are not in it, and a snooze has a sub. */
export function hashedState(state: ActionRequestState): Json {
  const { assigners: _, snoozers: __, snoozes, ...rest } = state;
  if (snoozes === undefined) return rest;
  return { ...rest, snoozes: snoozes.map(({ by: { sub }, until }) => ({ sub, until })) };
}

/** True if the proposer has not answered the last question (SPEC G8). */
export const awaitsAnswer = ({ discussion = [] }: ActionRequestState): boolean =>
  discussion.at(-1)?.kind === 'question';

/**
 * The owner of the request's episode: the proposer, together with the user whom the request concerns
 * (SPEC I9, E2).
 */
export const ownerOf = ({ proposer, made_for }: ActionRequested): JobOwner => ({
  sub: proposer.sub,
  user_id: proposer.user_id ?? made_for,
});
