import type { AnsweredBy } from '../decider.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { requireText } from '../free-text.js';
import { clearValueOf, heldOf, withoutHeld } from '../held.js';
import type { Json } from '../json.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { sameOwner } from '../ownership/access.js';
import { requireFactValue } from '../sem/fact-limits.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { idOfRequestStream } from '../stream-names.js';
import type {
  ActionRequested,
  ActionRequestEvent,
  CommentAdded,
  ExecutionLink,
  Person,
  ProposalRevised,
  QuestionAnswered,
  QuestionAsked,
  RequestAssigned,
  RequestSnoozed,
  SpanCleared,
  VoteCast,
} from './events.js';
import { clearableFindings } from './clearance.js';
import { actionRequested, proposalHash, requestEpisode, type ProposeAction } from './proposal.js';
import { type DeletionData, erasureProposalOf, type ErasureOrdered } from './erasure.js';
import { hasVotedOn } from './erasure-obstacles.js';
import { type GatedValue, gatedValueOf } from './gated-value.js';
import { changeOf } from './large-change.js';
import { requireRemark, requireRevision } from './shares.js';
import { idsOf, isConcerned, isOneOf } from './persons.js';
import { type ActionRequestState, awaitsAnswer, snoozedUntil } from './state.js';

/** Another value that a reviewer proposes (SPEC G8). */
export type ReviseProposal = GatedValue &
  Pick<ProposalRevised, 'redactions' | 'large_change'> & {
    readonly editor: Person;
    readonly reason: string;
    readonly at: string;
  };

/** A member's word that a finding in the value is not personal data (SPEC W8). */
export type ClearSpan = Omit<SpanCleared, 'span'>;

/**
 * The commands of an action request. The caller checks beforehand that a reviewer, who votes, revises or
 * asks, is a council member or an admin, that who clears a finding is a council member, and takes all times from the
 * wall clock.
 */
export type ActionRequestCommand = AnsweredBy<Json> & Change;

type Change =
  | ({ readonly type: 'request' } & ProposeAction)
  | ({ readonly type: 'vote' } & VoteCast)
  | ({ readonly type: 'revise' } & ReviseProposal)
  | ({ readonly type: 'clear' } & ClearSpan)
  | ({ readonly type: 'ask' } & QuestionAsked)
  | ({ readonly type: 'answer' } & QuestionAnswered)
  | ({ readonly type: 'assign' } & RequestAssigned)
  | ({ readonly type: 'comment' } & CommentAdded)
  | ({ readonly type: 'snooze' } & RequestSnoozed)
  /**
   * The process manager for expiry sends this command. It changes nothing before `expires_at` or after a
   * decision.
   */
  | { readonly type: 'expire'; readonly at: string }
  /** The approved sem_put is in the log (SPEC G3). */
  | ({ readonly type: 'link_execution'; readonly superseded: boolean } & ExecutionLink)
  /** The approved sem_put was refused with this error code (SPEC G3). */
  | { readonly type: 'refuse_execution'; readonly code: string }
  /** An admin orders an approved erasure (SPEC G6). */
  | ({ readonly type: 'order_erasure' } & ErasureOrdered)
  /** The keys of the subject are destroyed. */
  | ({ readonly type: 'record_deletion' } & Pick<DeletionData, 'kids' | 'manifest' | 'at'>);

/** The code of an approved write that lost to a later one (SPEC S3, G3). */
export const SUPERSEDED = 'SUPERSEDED';

type Events = readonly ActionRequestEvent[];

export function decideActionRequest(
  command: ActionRequestCommand,
  state: ActionRequestState,
): Events {
  switch (command.type) {
    case 'request':
      return request(command, state);
    case 'vote':
      return vote(command, state);
    case 'revise':
      return revise(command, state);
    case 'clear':
      return clear(command, state);
    case 'ask':
      return ask(command, state);
    case 'answer':
      return answer(command, state);
    case 'assign':
      return assign(command, state);
    case 'comment':
      return comment(command, state);
    case 'snooze':
      return snooze(command, state);
    case 'expire':
      return expire(command.at, state);
    case 'link_execution': {
      const { sem_stream, sem_event_number, superseded } = command;
      const link = { sem_stream, sem_event_number };
      if (superseded) return refused({ code: SUPERSEDED, link }, state);
      return isPerformed(state) ? [] : [{ type: 'request_executed', data: link }];
    }
    case 'refuse_execution':
      return refused({ code: command.code, link: null }, state);
    case 'order_erasure':
      return orderErasure(command, state);
    case 'record_deletion':
      return recordDeletion(command, state);
  }
}

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

const conflict = (what: string, expected: string, actual: string): Refusal =>
  new Refusal('VERSION_CONFLICT', { what, expected, actual });

function request(command: ProposeAction, state: ActionRequestState): Events {
  if (state.request !== null) throw conflict(state.stream, 'a new request', 'one that was made');
  const data = actionRequested(command);
  return [
    { type: 'action_requested', data },
    ...requestEpisode(state.stream, data),
    ...piiRedacted('proposal', data.redactions),
  ];
}

function requireRequest({ stream, request }: ActionRequestState): ActionRequested {
  if (request === null)
    throw new Refusal('NOT_FOUND', { what: 'action request', id: idOfRequestStream(stream) });
  return request;
}

/** Checks that a person may review the request: it was made neither by nor for this person (SPEC G2). */
function requireReviewer(person: Person, requested: ActionRequested, action: string): void {
  permit(!isConcerned(person, requested), `${action} a request made by or for itself`, 'G2');
}

/** Returns the time of a command in the stored form. @throws Refusal VERSION_CONFLICT after a decision or the expiry. */
function requirePending(time: string, state: ActionRequestState): string {
  const { expires_at } = requireRequest(state);
  const at = normalizeTimestamp(time);
  const status = state.status === 'pending' && at >= expires_at ? 'expired' : state.status;
  if (status !== 'pending') throw conflict('the request', 'pending', status);
  return at;
}

const isEditor = (person: Person, { revised }: ActionRequestState): boolean =>
  revised !== undefined && isOneOf(person, idsOf(revised.editor));

const editorsOf = ({ revised, earlier = [] }: ActionRequestState): readonly Person[] =>
  [...earlier.map((version) => version.revised), revised].flatMap((one) => one?.editor ?? []);

function requireCurrent(named: string, { proposal_hash }: ActionRequested, where: string): void {
  if (named !== proposal_hash)
    throw conflict('the proposal', proposal_hash, `another hash in ${where}`);
}

function vote(command: VoteCast, state: ActionRequestState): Events {
  const requested = requireRequest(state);
  const { voter, reason, reason_code, proposal_hash, risk } = command;
  requireReviewer(voter, requested, 'vote on');
  permit(!isEditor(voter, state), 'vote on its own revision', 'G8');
  requireCurrent(proposal_hash, requested, 'the vote');
  const earlier = state.votes.find((cast) => isOneOf(voter, idsOf(cast.voter)));
  if (earlier) {
    const isSame =
      earlier.vote === command.vote &&
      earlier.reason === reason &&
      earlier.reason_code === reason_code;
    if (isSame) return [];
    throw conflict("this member's vote", 'not cast yet', earlier.vote);
  }
  const at = requirePending(command.at, state);
  requireText('a reason', reason);
  if (reason_code !== undefined && command.vote !== 'reject')
    throw invalid('reason_code: only a rejection has one');
  const coded = reason_code === undefined ? {} : { reason_code };
  const gated = redactionsOf(command.redactions);
  const data: VoteCast = {
    voter,
    vote: command.vote,
    reason,
    ...coded,
    proposal_hash,
    ...(risk === undefined ? {} : { risk }),
    at,
    ...gated,
  };
  return [
    { type: 'vote_cast', data },
    ...outcome(data, state.votes, requested),
    ...piiRedacted('vote', command.redactions),
  ];
}

function revise(command: ReviseProposal, state: ActionRequestState): Events {
  const requested = requireRequest(state);
  const { editor, reason } = command;
  requireReviewer(editor, requested, 'revise');
  const at = requirePending(command.at, state);
  if (requested.kind !== 'sem_put') throw invalid('only a proposed fact can be revised');
  requireFactValue(command);
  requireText('a reason', reason);
  requireRevision(editor, editorsOf(state));
  const revision = (state.earlier ?? []).length + 1;
  const held = gatedValueOf(command);
  const proposal_hash = proposalHash({ ...withoutHeld(requested), ...held }, revision);
  const gated = redactionsOf(command.redactions);
  const compared = changeOf(command);
  const data = { ...held, revision, editor, reason, at, proposal_hash, ...compared, ...gated };
  return [{ type: 'proposal_revised', data }, ...piiRedacted('revision', command.redactions)];
}

function clear(command: ClearSpan, state: ActionRequestState): Events {
  const requested = requireRequest(state);
  const { cleared_by, proposal_hash, finding, reason, redactions } = command;
  requireReviewer(cleared_by, requested, 'clear a finding in');
  permit(!isEditor(cleared_by, state), 'clear a finding in its own revision', 'W8');
  requireCurrent(proposal_hash, requested, 'the clearance');
  const span = clearableFindings(requested)[finding];
  if (span === undefined) throw new Refusal('NOT_FOUND', { what: 'finding', id: String(finding) });
  const earlier = (state.clearances ?? []).find(
    (one) => one.finding === finding && isOneOf(cleared_by, idsOf(one.cleared_by)),
  );
  if (earlier?.reason === reason) return [];
  if (earlier !== undefined)
    throw conflict("this member's clearance", 'not given yet', 'given with another reason');
  const at = requirePending(command.at, state);
  requireText('a reason', reason);
  const gated = redactionsOf(redactions);
  const data = { cleared_by, proposal_hash, finding, span, reason, at, ...gated };
  return [{ type: 'span_cleared', data }, ...piiRedacted('clearance', redactions)];
}

function ask(command: QuestionAsked, state: ActionRequestState): Events {
  const { asked_by, question, at, redactions } = command;
  requireReviewer(asked_by, requireRequest(state), 'ask about');
  const gated = redactionsOf(redactions);
  const data = { asked_by, question, at: requirePending(at, state), ...gated };
  requireText('a question', question);
  const questions = (state.discussion ?? []).filter(({ kind }) => kind === 'question');
  requireRemark(
    asked_by,
    questions.map(({ by }) => by),
    'questions',
  );
  return [{ type: 'question_asked', data }, ...piiRedacted('question', redactions)];
}

function answer(command: QuestionAnswered, state: ActionRequestState): Events {
  const { answered_by, answer, at, redactions } = command;
  const { proposer } = requireRequest(state);
  permit(sameOwner(answered_by, proposer), 'answer for the proposer', 'G8');
  const gated = redactionsOf(redactions);
  const data = { answered_by, answer, at: requirePending(at, state), ...gated };
  requireText('an answer', answer);
  if (!awaitsAnswer(state))
    throw conflict('the last question', 'waiting for an answer', 'answered or not asked');
  return [{ type: 'question_answered', data }, ...piiRedacted('answer', redactions)];
}

function assign(command: RequestAssigned, state: ActionRequestState): Events {
  const requested = requireRequest(state);
  const { assigned_to, assigned_by } = command;
  requireReviewer(assigned_by, requested, 'assign');
  const at = requirePending(command.at, state);
  if (assigned_to !== null && isConcerned({ sub: assigned_to, user_id: null }, requested))
    throw invalid('a request is assigned to a reviewer, not to those by and for whom it was made');
  if (assigned_to === (state.assigned_to ?? null)) return [];
  return [{ type: 'request_assigned', data: { assigned_to, assigned_by, at } }];
}

function comment(command: CommentAdded, state: ActionRequestState): Events {
  const { comment_by, text, redactions } = command;
  requireReviewer(comment_by, requireRequest(state), 'comment on');
  const at = requirePending(command.at, state);
  requireText('a comment', text);
  const comments = (state.comments ?? []).map(({ by }) => by);
  requireRemark(comment_by, comments, 'comments');
  const data = { comment_by, text, at, ...redactionsOf(redactions) };
  return [{ type: 'comment_added', data }, ...piiRedacted('comment', redactions)];
}

function snooze({ snoozed_by, until: asked, at: now }: RequestSnoozed, state: ActionRequestState) {
  requireReviewer(snoozed_by, requireRequest(state), 'put off');
  const at = requirePending(now, state);
  const until = asked === null ? null : normalizeTimestamp(asked);
  if (until !== null && until <= at) throw invalid('until: must be later than now');
  if (until === snoozedUntil(snoozed_by, state)) return [];
  return [{ type: 'request_snoozed' as const, data: { snoozed_by, until, at } }];
}

/** Abstentions do not count towards the quorum; a tie at quorum is a rejection (SPEC G2). */
function outcome(
  last: VoteCast,
  before: readonly VoteCast[],
  { quorum, kind }: ActionRequested,
): Events {
  const votes = [...before, last].map(({ vote }) => vote);
  const approvals = votes.filter((cast) => cast === 'approve').length;
  const rejections = votes.filter((cast) => cast === 'reject').length;
  const { at } = last;
  if (approvals + rejections < quorum) return [];
  const approved = kind === 'erasure' ? 'erasure_approved' : 'request_approved';
  if (approvals > rejections) return [{ type: approved, data: { at } }];
  const reason = approvals === rejections ? 'tie' : 'votes';
  return [{ type: 'request_rejected', data: { at, reason } }];
}

function expire(at: string, state: ActionRequestState): Events {
  const { expires_at } = requireRequest(state);
  const time = normalizeTimestamp(at);
  if (state.status !== 'pending' || time < expires_at) return [];
  return [{ type: 'request_expired', data: { at: time } }];
}

function refused(
  data: { readonly code: string; readonly link: ExecutionLink | null },
  state: ActionRequestState,
): Events {
  return isPerformed(state) ? [] : [{ type: 'execution_refused', data }];
}

function orderErasure(order: ErasureOrdered, state: ActionRequestState): Events {
  const { ordered_by, user_id, at, kids } = order;
  const { kind } = requireRequest(state);
  if (kind !== 'erasure') throw invalid(`a request of kind ${kind} is not an erasure`);
  if (isPerformed(state) || state.erasure !== undefined) return [];
  const orderer = { sub: ordered_by, ...(user_id === undefined ? {} : { user_id }) };
  permit(!hasVotedOn(state, orderer), 'execute an erasure on which it voted', 'G6');
  const data = {
    ordered_by,
    ...(user_id === undefined ? {} : { user_id }),
    at: normalizeTimestamp(at),
    ...(kids === undefined ? {} : { kids }),
  };
  return [{ type: 'erasure_ordered', data }];
}

function recordDeletion(
  { kids: found, manifest, at }: Pick<DeletionData, 'kids' | 'manifest' | 'at'>,
  state: ActionRequestState,
): Events {
  const requested = requireRequest(state);
  if (isPerformed(state)) return [];
  if (state.erasure === undefined) throw conflict('the erasure', 'ordered', 'not ordered');
  const { subject, reason_code } = erasureProposalOf(clearValueOf(requested));
  const { ordered_by, kids = found } = state.erasure;
  const time = normalizeTimestamp(at);
  const data = { subject, reason_code, kids, manifest, ordered_by, at: time };
  return [{ type: 'deletion_event', data }];
}

/** True if the approved write was already executed or refused. Repeating the command then changes nothing. */
function isPerformed(state: ActionRequestState): boolean {
  requireRequest(state);
  const performed = state.status === 'executed' || state.status === 'execution_refused';
  if (!performed && state.status !== 'approved')
    throw conflict('the request', 'approved', state.status);
  return performed;
}

/** Returns the command that an input event recorded, for replay. */
export function commandOfActionRequest(event: ActionRequestEvent): ActionRequestCommand {
  switch (event.type) {
    case 'action_requested': {
      const { proposal_hash: _, ...proposal } = event.data;
      return { type: 'request', ...proposal, ...heldOf(event.data) };
    }
    case 'vote_cast':
      return { type: 'vote', ...event.data };
    case 'proposal_revised': {
      const { editor, reason, at, redactions } = event.data;
      const gated = { ...gatedValueOf(event.data), ...redactionsOf(redactions) };
      return { type: 'revise', editor, reason, at, ...changeOf(event.data), ...gated };
    }
    case 'span_cleared': {
      const { span: _, ...cleared } = event.data;
      return { type: 'clear', ...cleared };
    }
    case 'question_asked':
      return { type: 'ask', ...event.data };
    case 'question_answered':
      return { type: 'answer', ...event.data };
    case 'request_assigned':
      return { type: 'assign', ...event.data };
    case 'comment_added':
      return { type: 'comment', ...event.data };
    case 'request_snoozed':
      return { type: 'snooze', ...event.data };
    case 'request_expired':
      return { type: 'expire', at: event.data.at };
    case 'request_executed':
      return { type: 'link_execution', superseded: false, ...event.data };
    case 'execution_refused': {
      const { code, link } = event.data;
      if (link === null) return { type: 'refuse_execution', code };
      return { type: 'link_execution', superseded: true, ...link };
    }
    case 'erasure_ordered':
      return { type: 'order_erasure', ...event.data };
    case 'deletion_event': {
      const { kids, manifest, at } = event.data;
      return { type: 'record_deletion', kids, manifest, at };
    }
    case 'episode_written':
    case 'erasure_approved':
    case 'request_approved':
    case 'request_rejected':
    case 'pii_redacted':
      throw new TypeError(`${event.type} is an outcome, not an input`);
  }
}
