import type { AnsweredBy } from '../decider.js';
import { heldOf } from '../held.js';
import type { Json } from '../json.js';
import { redactionsOf } from '../privacy/redactions.js';
import type { DeletionData, ErasureOrdered } from './erasure.js';
import type {
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
import { type GatedValue, gatedValueOf } from './gated-value.js';
import { changeOf } from './large-change.js';
import type { ProposeAction } from './proposal.js';

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
