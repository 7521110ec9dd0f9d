import type { AnsweredBy } from '../decider.js';
import { seededUuid } from '../determinism/ids.js';
import { Refusal } from '../errors/refusal.js';
import type { JsonObject } from '../json.js';
import { sameOwner } from '../ownership/access.js';
import { idOfReflectiveStream } from '../stream-names.js';
import type {
  Amendment,
  CouncilEvent,
  Feedback,
  Label,
  LogWritten,
  Redacted,
  ReflectiveLogEvent,
  ReviewRequest,
  RowQuarantined,
  Tags,
} from './events.js';
import { isListed, type ReflectiveLogState } from './state.js';

/** The commands of a log. The caller has validated their data and removed personal data (SPEC P3). */
export type ReflectiveLogCommand = WriteLog | (AnsweredBy<JsonObject> & Change);

export type WriteLog = { readonly type: 'write' } & LogWritten &
  AnsweredBy<{ readonly log_id: string; readonly signature: LogWritten['signature'] }>;

type Change =
  | ({ readonly type: 'amend' } & Omit<Amendment, 'amendment_id' | 'target_log_id'>)
  | ({ readonly type: 'give_feedback' } & Omit<Feedback, 'feedback_id'>)
  | ({ readonly type: 'label' } & Omit<Label, 'label_id'>)
  | ({ readonly type: 'tag' } & Tags)
  | ({ readonly type: 'list_council_event' } & CouncilEvent)
  | ({ readonly type: 'request_review' } & Omit<ReviewRequest, 'review_id'>)
  | ({ readonly type: 'quarantine' } & RowQuarantined);

type Events = readonly ReflectiveLogEvent[];

const idOf = ({ stream }: ReflectiveLogState): string => idOfReflectiveStream(stream);

function writtenLog(state: ReflectiveLogState): LogWritten {
  if (state.written === null)
    throw new Refusal('NOT_FOUND', { what: 'reflective log', id: idOf(state) });
  return state.written;
}

/** Returns the event `pii_redacted`; no event if nothing was redacted (SPEC P3). */
const redactionEvents = (subject: string, redactions: Redacted['redactions']): Events =>
  redactions.length === 0 ? [] : [{ type: 'pii_redacted', data: { subject, redactions } }];

/**
 * The events of a command on a log (SPEC L1, L4, L5).
 * @throws Refusal LOG_EXISTS, NOT_FOUND.
 */
export function decideReflectiveLog(
  command: ReflectiveLogCommand,
  state: ReflectiveLogState,
): Events {
  if (command.type === 'write') return write(command, state);
  writtenLog(state);
  const idFor = (what: string, count: number): string =>
    seededUuid([state.stream, what, count + 1]);
  switch (command.type) {
    case 'amend':
      return amend(command, idFor('amendment', state.amendments.length), state);
    case 'give_feedback': {
      const { type: _, ...given } = command;
      const feedback_id = idFor('feedback', state.feedback.length);
      return [
        { type: 'feedback_added', data: { feedback_id, ...given } },
        ...redactionEvents(feedback_id, given.redactions),
      ];
    }
    case 'label': {
      const { type: _, ...given } = command;
      const label_id = idFor('label', state.labels.length);
      return [
        { type: 'label_added', data: { label_id, ...given } },
        ...redactionEvents(label_id, given.redactions),
      ];
    }
    case 'tag': {
      const { type: _, ...data } = command;
      return [{ type: 'tags_added', data }, ...redactionEvents(idOf(state), data.redactions)];
    }
    case 'list_council_event': {
      const { type: _, ...data } = command;
      return isListed(state, data) ? [] : [{ type: 'council_event', data }];
    }
    case 'request_review': {
      // A second request for a review gets the open review as its answer.
      if (state.open_review !== null) return [];
      const { type: _, ...given } = command;
      const review_id = idFor('review', state.reviews);
      return [
        { type: 'review_requested', data: { review_id, ...given } },
        ...redactionEvents(review_id, given.redactions),
      ];
    }
    case 'quarantine': {
      const { type: _, ...data } = command;
      return [{ type: 'log_quarantined', data }];
    }
  }
}

function write(
  { type: _, ...data }: Extract<ReflectiveLogCommand, { type: 'write' }>,
  { written }: ReflectiveLogState,
): Events {
  const { log_id, redactions } = data.log;
  if (written !== null) throw new Refusal('LOG_EXISTS', { log_id });
  return [{ type: 'reflective_log_written', data }, ...redactionEvents(log_id, redactions)];
}

/** Resolves the open review if the author is a council member other than the owner and the requester. */
function amend(
  { type: _, ...given }: Extract<ReflectiveLogCommand, { type: 'amend' }>,
  amendment_id: string,
  state: ReflectiveLogState,
): Events {
  const { author, effect, redactions } = given;
  const data: Amendment = { amendment_id, target_log_id: idOf(state), ...given };
  const { open_review } = state;
  const settles =
    open_review !== null &&
    effect !== 'note' &&
    author.role === 'council' &&
    !sameOwner(author, open_review.author) &&
    !sameOwner(author, writtenLog(state).owner);
  return [
    { type: 'amendment_added', data },
    ...redactionEvents(amendment_id, redactions),
    ...(settles
      ? [
          {
            type: 'review_resolved' as const,
            data: {
              review_id: open_review.review_id,
              amendment_id,
              effect,
              resolved_at: data.created_at,
            },
          },
        ]
      : []),
  ];
}

/**
 * Returns the event that must follow a quarantine. The event contains the row as the log recorded it,
 * and the read model restores its row from this copy (SPEC L5).
 */
export function owedHealing({ to_heal, written }: ReflectiveLogState): Events {
  if (to_heal === null || written === null) return [];
  return [{ type: 'log_healed', data: { quarantine_id: to_heal, ...written } }];
}

/** Returns the command that an input event recorded, for replay. */
export function commandOfReflectiveLog(event: ReflectiveLogEvent): ReflectiveLogCommand {
  switch (event.type) {
    case 'reflective_log_written':
      return { type: 'write', ...event.data };
    case 'amendment_added': {
      const { amendment_id: _, target_log_id: __, ...given } = event.data;
      return { type: 'amend', ...given };
    }
    case 'feedback_added': {
      const { feedback_id: _, ...given } = event.data;
      return { type: 'give_feedback', ...given };
    }
    case 'label_added': {
      const { label_id: _, ...given } = event.data;
      return { type: 'label', ...given };
    }
    case 'tags_added':
      return { type: 'tag', ...event.data };
    case 'council_event':
      return { type: 'list_council_event', ...event.data };
    case 'review_requested': {
      const { review_id: _, ...given } = event.data;
      return { type: 'request_review', ...given };
    }
    case 'log_quarantined':
      return { type: 'quarantine', ...event.data };
    case 'pii_redacted':
    case 'review_resolved':
    case 'log_healed':
      throw new TypeError(`${event.type} is an outcome, not an input`);
  }
}
