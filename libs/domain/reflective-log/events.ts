import { type EventSchema, input, outcome } from '../decider.js';
import type { JobOwner } from '../job/events.js';
import type { Json, JsonObject } from '../json.js';
import type { Role } from '../ownership/access.js';
import type { LogRedaction, ReflectiveFields } from './fields.js';
import type { Signature } from './signature.js';

/** Every event of `reflective-<log_id>` (SPEC §7). The first event is the log itself, which never changes. */
export type ReflectiveLogEvent =
  | { readonly type: 'reflective_log_written'; readonly data: LogWritten }
  /** Personal data was removed from the event before this one (SPEC P3). */
  | { readonly type: 'pii_redacted'; readonly data: Redacted }
  | { readonly type: 'amendment_added'; readonly data: Amendment }
  | { readonly type: 'feedback_added'; readonly data: Feedback }
  | { readonly type: 'label_added'; readonly data: Label }
  | { readonly type: 'tags_added'; readonly data: Tags }
  /** An event of an action request that was made on an episode of this log's job (SPEC G3). */
  | { readonly type: 'council_event'; readonly data: CouncilEvent }
  /** The log's owner requests a human review (SPEC A3). */
  | { readonly type: 'review_requested'; readonly data: ReviewRequest }
  /** A council member's amendment resolved the review. */
  | {
      readonly type: 'review_resolved';
      readonly data: {
        readonly review_id: string;
        readonly amendment_id: string;
        readonly effect: AmendmentEffect;
        readonly resolved_at: string;
      };
    }
  /** The row in Postgres was missing or differed from the log (SPEC L5). */
  | { readonly type: 'log_quarantined'; readonly data: RowQuarantined }
  /** The row in Postgres was restored from the event log (SPEC L5). */
  | {
      readonly type: 'log_healed';
      readonly data: { readonly quarantine_id: string } & LogWritten;
    };

/** The origin of a log. `job`: it belongs to an ended job; `posted`: an agent sent it (SPEC L7). */
export type LogOrigin = 'job' | 'posted';

export type LogWritten = {
  readonly log: ReflectiveFields;
  readonly signature: Signature;
  /** The owner of the job, or the agent that posted the log (SPEC I9). */
  readonly owner: JobOwner;
  readonly origin: LogOrigin;
};

export type Redacted = {
  /** The id of the log or of the addition that was redacted. */
  readonly subject: string;
  readonly redactions: readonly LogRedaction[];
};

/** The author of an addition, with the role that the author used. */
export type Author = {
  readonly sub: string;
  readonly user_id: string | null;
  readonly role: Role;
};

/** The common fields of all additions to a log. Times are wall-clock times, recorded as input. */
type Added = {
  readonly created_at: string;
  readonly author: Author;
  readonly redactions: readonly LogRedaction[];
};

export type AmendmentEffect = 'note' | 'override_suggestion' | 'revalidate';
export const AMENDMENT_EFFECTS: readonly AmendmentEffect[] = [
  'note',
  'override_suggestion',
  'revalidate',
];

export type Amendment = Added & {
  readonly amendment_id: string;
  readonly target_log_id: string;
  readonly changes: JsonObject;
  readonly effect: AmendmentEffect;
};

export type Feedback = Added & {
  readonly feedback_id: string;
  /** The rating, 1 to 5. */
  readonly rating: number | null;
  readonly comment: string | null;
};

export type Label = Added & {
  readonly label_id: string;
  readonly ground_truth_label: Json;
};

export type Tags = Added & { readonly audit_tags: readonly string[] };

export type ReviewRequest = Added & {
  readonly review_id: string;
  readonly reason: string;
};

/** Names an event of an action request, or the write that the request led to; never a value (SPEC G3). */
export type CouncilEvent = {
  readonly request_id: string;
  /** The type of the event. */
  readonly kind: string;
  /** The event's stream and its number there. */
  readonly stream: string;
  readonly event_number: number;
};

export type RowFault = 'tampered' | 'missing';

export type RowQuarantined = {
  readonly quarantine_id: string;
  readonly log_id: string;
  readonly fault: RowFault;
  /** Why the row is invalid. The text contains no value of the row. */
  readonly reason: string;
  readonly signature_valid: boolean;
  /** Both versions of the columns that differ, redacted by the privacy gate (SPEC L5). */
  readonly found: JsonObject;
  readonly recorded: JsonObject;
  readonly at: string;
};

export const reflectiveLogSchemas: Readonly<Record<ReflectiveLogEvent['type'], EventSchema>> = {
  reflective_log_written: input,
  pii_redacted: outcome,
  amendment_added: input,
  feedback_added: input,
  label_added: input,
  tags_added: input,
  council_event: input,
  review_requested: input,
  review_resolved: outcome,
  log_quarantined: input,
  log_healed: outcome,
};
