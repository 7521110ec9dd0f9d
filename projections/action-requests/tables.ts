import type {
  ActionRequestKind,
  ActionRequestStatus,
  ReasonCode,
  Vote,
} from '#domain/action-request/events.js';
import type { RiskLevel, RiskReason } from '#domain/action-request/risk-reasons.js';
import type { Category } from '#domain/privacy/finding.js';
import { bigint, bool, int, orNull, text, texts, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** One row per request stream (SPEC §6). */
export const REQUEST = readTable('action_requests.request', {
  key: ['request_id'],
  columns: {
    request_id: text(),
    /** Commit position of the stream's first event: the order of the queue, and the cursor of a list. */
    position: bigint(),
    status: text<ActionRequestStatus>(),
    kind: text<ActionRequestKind>(),
    episodic_id: orNull(text()),
    target_sem_key: orNull(text()),
    /** Canonical JSON of the proposed value, or of its sealed form. */
    held: text(),
    is_sealed: bool(),
    justification: text(),
    evidence: text(),
    proposer_sub: text(),
    proposer_user_id: orNull(text()),
    /** Folded: case and an initial `user_` do not matter (SPEC I9). */
    proposer_user_folded: orNull(text()),
    made_for: orNull(text()),
    /** Folded like proposer_user_folded. */
    made_for_folded: orNull(text()),
    source: text(),
    requested_at: text(),
    expires_at: text(),
    quorum: int(),
    proposal_hash: text(),
    decided_at: orNull(text()),
    rejection_reason: orNull(text<'votes' | 'tie'>()),
    refusal_code: orNull(text()),
    /** The write that the approval led to; for a refused execution, the write that lost (SPEC G3). */
    sem_stream: orNull(text()),
    sem_event_number: orNull(int()),
    /** The reviewer who revised the value last (SPEC G8). */
    editor_sub: orNull(text()),
    editor_user_id: orNull(text()),
    /** True if the proposer has not answered the last question. */
    awaits_answer: bool(),
    /** The subs of the reviewers whose last question waits for its answer. */
    waiting_askers: texts(),
    /** The subs of the reviewers whose last question is answered. */
    answered_askers: texts(),
    /** When the proposer answered last; null without an answer. */
    answered_at: orNull(text()),
    /** The job of the episode, and the category of personal data in the value: what a consent has to cover (SPEC P4). */
    job_seed: orNull(text()),
    /** The category of personal data in the current value; null without any. */
    finding_category: orNull(text<Category>()),
    /** The scope and entity type of the target; `''` without one. */
    target_area: text(),
    /** The reasons of the risk that the request's own words give. */
    own_reasons: texts<RiskReason>(),
    /** The episodes that the request is based on or cites. */
    cited_episodes: texts(),
    /** The risk that the last vote recorded; null without one. */
    voted_risk: orNull(text<RiskLevel>()),
    voted_reasons: orNull(texts<RiskReason>()),
    /** The votes on the current value, and those of them that count towards the quorum. */
    votes_cast: int(),
    votes_counted: int(),
    /** The number of revisions of the value (SPEC G8). */
    revisions: int(),
    /** The number of the last projected event of the request's stream. */
    revision: int(),
  },
  unique: [['position']],
  indexes: {
    request_by_status: '(status, position)',
    request_by_proposer: '(proposer_sub, status)',
    request_by_decision: '(decided_at) where decided_at is not null',
  },
});
/** A row of the table `request`. */
export type StoredRequest = RowOf<typeof REQUEST>;

export const VOTE = readTable('action_requests.vote', {
  key: ['request_id', 'number'],
  columns: {
    request_id: text(),
    number: int(),
    voter_sub: text(),
    voter_user_id: orNull(text()),
    vote: text<Vote>(),
    reason: text(),
    reason_code: orNull(text<ReasonCode>()),
    proposal_hash: text(),
    at: text(),
  },
});
/** A row of the table `vote`. */
export type StoredVote = RowOf<typeof VOTE>;
