import { permit } from '../errors/permit.js';
import { requireText } from '../free-text.js';
import { sameOwner } from '../ownership/access.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import {
  conflict,
  invalid,
  requirePending,
  requireRequest,
  requireReviewer,
} from './conditions.js';
import type {
  ActionRequestEvent,
  CommentAdded,
  QuestionAnswered,
  QuestionAsked,
  RequestAssigned,
  RequestSnoozed,
} from './events.js';
import { isConcerned } from './persons.js';
import { requireRemark } from './shares.js';
import { type ActionRequestState, awaitsAnswer, snoozedUntil } from './state.js';

export function ask(
  command: QuestionAsked,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
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

export function answer(
  command: QuestionAnswered,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
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

export function comment(
  command: CommentAdded,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const { comment_by, text, redactions } = command;
  requireReviewer(comment_by, requireRequest(state), 'comment on');
  const at = requirePending(command.at, state);
  requireText('a comment', text);
  const comments = (state.comments ?? []).map(({ by }) => by);
  requireRemark(comment_by, comments, 'comments');
  const data = { comment_by, text, at, ...redactionsOf(redactions) };
  return [{ type: 'comment_added', data }, ...piiRedacted('comment', redactions)];
}

export function assign(
  command: RequestAssigned,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const requested = requireRequest(state);
  const { assigned_to, assigned_by } = command;
  requireReviewer(assigned_by, requested, 'assign');
  const at = requirePending(command.at, state);
  if (assigned_to !== null && isConcerned({ sub: assigned_to, user_id: null }, requested))
    throw invalid('a request is assigned to a reviewer, not to those by and for whom it was made');
  if (assigned_to === (state.assigned_to ?? null)) return [];
  return [{ type: 'request_assigned', data: { assigned_to, assigned_by, at } }];
}

export function snooze(
  { snoozed_by, until: asked, at: now }: RequestSnoozed,
  state: ActionRequestState,
) {
  requireReviewer(snoozed_by, requireRequest(state), 'put off');
  const at = requirePending(now, state);
  const until = asked === null ? null : normalizeTimestamp(asked);
  if (until !== null && until <= at) throw invalid('until: must be later than now');
  if (until === snoozedUntil(snoozed_by, state)) return [];
  return [{ type: 'request_snoozed' as const, data: { snoozed_by, until, at } }];
}
