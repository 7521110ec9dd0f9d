import { type EventSchema, input, outcome } from '../decider.js';
import type { EpisodeData } from '../job/events.js';
import type { JsonObject } from '../json.js';
import type { Finding } from '../privacy/finding.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { DeletionData, ErasureOrdered } from './erasure.js';
import type { SemSource } from '../sem/events.js';
import type { GatedValue } from './gated-value.js';
import type { Risk } from './risk-reasons.js';

/** Every event of `request-<request_id>` (SPEC G1–G3, G8). */
export type ActionRequestEvent =
  | { readonly type: 'action_requested'; readonly data: ActionRequested }
  /** The episode of the request (SPEC E1). Its id is derived from the name of the request's stream. */
  | { readonly type: 'episode_written'; readonly data: EpisodeData }
  | { readonly type: 'vote_cast'; readonly data: VoteCast }
  /** A reviewer proposes another value. The votes on the earlier one no longer count (SPEC G8). */
  | { readonly type: 'proposal_revised'; readonly data: ProposalRevised }
  /** A council member says that a finding in the value is not personal data (SPEC W8). */
  | { readonly type: 'span_cleared'; readonly data: SpanCleared }
  | { readonly type: 'question_asked'; readonly data: QuestionAsked }
  | { readonly type: 'question_answered'; readonly data: QuestionAnswered }
  /** Who of the reviewers works on the request. */
  | { readonly type: 'request_assigned'; readonly data: RequestAssigned }
  /** Words among the reviewers, which the proposer does not see. */
  | { readonly type: 'comment_added'; readonly data: CommentAdded }
  /** A reviewer puts the request off. */
  | { readonly type: 'request_snoozed'; readonly data: RequestSnoozed }
  /** `at` is the time of the deciding vote and becomes the fact's timestamp (SPEC G3). */
  | { readonly type: 'request_approved'; readonly data: { readonly at: string } }
  | {
      readonly type: 'request_rejected';
      readonly data: { readonly at: string; readonly reason: 'votes' | 'tie' };
    }
  | { readonly type: 'request_expired'; readonly data: { readonly at: string } }
  /** The council approved an erasure, which waits for an admin (SPEC G6). */
  | { readonly type: 'erasure_approved'; readonly data: { readonly at: string } }
  /** An admin ordered the approved erasure. */
  | { readonly type: 'erasure_ordered'; readonly data: ErasureOrdered }
  /** The keys of the subject are destroyed (SPEC G6). */
  | { readonly type: 'deletion_event'; readonly data: DeletionData }
  /** The sem_put is in the log; the request and the fact each refer to the other (SPEC G3). */
  | { readonly type: 'request_executed'; readonly data: ExecutionLink }
  | { readonly type: 'execution_refused'; readonly data: ExecutionRefused }
  /** Personal data was removed from a text, or sealed in a value (SPEC P3). */
  | {
      readonly type: 'pii_redacted';
      readonly data: { readonly subject: GatedText; readonly redactions: readonly LogRedaction[] };
    };

/** Where the privacy gate found personal data. */
export type GatedText =
  'proposal' | 'vote' | 'revision' | 'clearance' | 'question' | 'answer' | 'comment';

/** The redactions of the privacy gate in the texts of an event; missing without any (SPEC P3). */
type Gated = { readonly redactions?: readonly LogRedaction[] };

/**
 * `sem_put` writes a fact. `sensitive_consent` lets a consent cover data of category high (SPEC P4). `erasure`
 * destroys the key of a subject, once an admin executes it (SPEC G6).
 */
export const ACTION_REQUEST_KINDS = ['sem_put', 'sensitive_consent', 'erasure'] as const;
export type ActionRequestKind = (typeof ACTION_REQUEST_KINDS)[number];
export const ACTION_REQUEST_STATUSES = [
  'pending',
  'approved',
  'executed',
  'execution_refused',
  'rejected',
  'expired',
] as const;
export type ActionRequestStatus = (typeof ACTION_REQUEST_STATUSES)[number];

/** A caller, by the token's subject and user. */
export type Person = { readonly sub: string; readonly user_id: string | null };

/**
 * True if the value changes much of the one that stood when it was proposed, as the service has read it then; missing if
 * not, and in events of schema version 1.
 */
export type Compared = { readonly large_change?: true };

/**
 * The entries of the evidence, from 0, that name an episode, a note or an event which the service did not find, or which the
 * proposer may not read, when the request was made. Missing without any, and in events of earlier schema versions.
 */
export type LookedUp = { readonly unfound_evidence?: readonly number[] };

export type ActionRequested = GatedValue &
  Gated &
  Compared &
  LookedUp & {
    readonly request_id: string;
    readonly kind: ActionRequestKind;
    /** The episode that a `sem_put` is based on; null for the other kinds, which have no target either. */
    readonly episodic_id: string | null;
    /**
     * The job whose episode this is; its ReflectiveLog lists the request (SPEC G3). Missing if the episode
     * belongs to no job, and in requests of earlier releases.
     */
    readonly job_seed?: string;
    readonly target_sem_key: string | null;
    readonly justification: string;
    readonly evidence: readonly JsonObject[];
    readonly proposer: Person;
    /**
     * The user whom the request concerns, who must not vote (SPEC G2): the raw id if it is known,
     * otherwise the entity id.
     */
    readonly made_for: string | null;
    /** The `source` that the fact gets if the request is approved. */
    readonly source: SemSource;
    /** The wall-clock time of the request, recorded as input. */
    readonly requested_at: string;
    readonly expires_at: string;
    /** When the retention period of an erasure's data ends, as far as it was known; missing if it was over. */
    readonly executable_from?: string;
    readonly quorum: number;
    /** sha256 of what the council votes on: kind, episodic_id, target, value, justification, evidence (SPEC G2). */
    readonly proposal_hash: string;
  };

export const VOTES = ['approve', 'reject', 'abstain'] as const;
export type Vote = (typeof VOTES)[number];

/**
 * Why a member rejects a proposal (SPEC G8). `wrong_subject`: the evidence is about something else, or about less.
 * `manipulated`: what was proposed gives orders to its reader, or is disguised.
 */
export const REASON_CODES = [
  'untrue',
  'unsupported',
  'out_of_date',
  'wrong_subject',
  'unclear',
  'personal',
  'duplicate',
  'manipulated',
  'other',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export type VoteCast = Gated & {
  readonly voter: Person;
  readonly vote: Vote;
  readonly reason: string;
  /** Only with the vote `reject`. */
  readonly reason_code?: ReasonCode;
  readonly proposal_hash: string;
  /**
   * The risk that the service showed when the vote was cast. Missing in votes of schema version 1, and if the read
   * models could not be reached.
   */
  readonly risk?: Risk;
  readonly at: string;
};

/** Its own `proposal_hash` is what later votes name; `source` stays that of the proposal (SPEC G8). */
export type ProposalRevised = GatedValue &
  Gated &
  Compared & {
    /** Counted from 1. */
    readonly revision: number;
    readonly editor: Person;
    readonly reason: string;
    readonly at: string;
    readonly proposal_hash: string;
  };

/** One member's word that one finding in one value is not personal data. Another value is judged anew (SPEC W8). */
export type SpanCleared = Gated & {
  readonly cleared_by: Person;
  readonly proposal_hash: string;
  /** The number of the finding among the `findings` of the value, from 0. */
  readonly finding: number;
  /** The finding itself: its place and its type, never the text. */
  readonly span: Finding;
  readonly reason: string;
  readonly at: string;
};

/** A reviewer's question to the proposer. */
export type QuestionAsked = Gated & {
  readonly asked_by: Person;
  readonly question: string;
  readonly at: string;
};

/** The proposer's answer to the questions before it. */
export type QuestionAnswered = Gated & {
  readonly answered_by: Person;
  readonly answer: string;
  readonly at: string;
};

export type RequestAssigned = {
  /** The sub of a reviewer; null if nobody works on it any more. */
  readonly assigned_to: string | null;
  readonly assigned_by: Person;
  readonly at: string;
};

export type CommentAdded = Gated & {
  readonly comment_by: Person;
  readonly text: string;
  readonly at: string;
};

export type RequestSnoozed = {
  readonly snoozed_by: Person;
  /** Until then, the request is not in the queue of this reviewer; null puts it back at once. */
  readonly until: string | null;
  readonly at: string;
};

/**
 * The event that the approval caused, in a stream of SEM or, for a `sensitive_consent`, of consents. The fields are
 * named for the first kind of request.
 */
export type ExecutionLink = {
  readonly sem_stream: string;
  readonly sem_event_number: number;
};

/**
 * Why an approved request changed no fact: an error code, or `SUPERSEDED` together with the write that
 * lost (SPEC S3, G3).
 */
type ExecutionRefused = {
  readonly code: string;
  readonly link: ExecutionLink | null;
};

export const actionRequestSchemas: Readonly<Record<ActionRequestEvent['type'], EventSchema>> = {
  // Version 2 may have the findings in the value, and say that the value changes much. Of version 1 neither is known, so
  // nothing in it can be cleared. Version 3 may name evidence that was not found; that of an earlier version counts as found.
  action_requested: {
    version: 3,
    kind: 'input',
    upcast: { 1: (data) => data, 2: (data) => data },
  },
  episode_written: outcome,
  // Version 2 may have the risk that the voter saw. A vote of version 1 has none, and needs none.
  vote_cast: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
  proposal_revised: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
  span_cleared: input,
  question_asked: input,
  question_answered: input,
  request_assigned: input,
  comment_added: input,
  request_snoozed: input,
  request_approved: outcome,
  request_rejected: outcome,
  request_expired: input,
  request_executed: input,
  execution_refused: input,
  erasure_approved: outcome,
  // Version 2 names the keys. An order of version 1 takes those that it finds when it is carried out first. Version 3 names
  // the admin's user.
  erasure_ordered: { version: 3, kind: 'input', upcast: { 1: (data) => data, 2: (data) => data } },
  deletion_event: input,
  pii_redacted: outcome,
};
