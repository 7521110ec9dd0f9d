import type {
  ActionRequestKind,
  ActionRequestStatus,
  ReasonCode,
  Vote,
} from '#domain/action-request/events.js';
import type { RiskLevel, RiskReason } from '#domain/action-request/risk-reasons.js';
import type { Category } from '#domain/privacy/finding.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `request` table. */
export interface StoredRequest {
  readonly request_id: string;
  readonly position: string;
  readonly status: ActionRequestStatus;
  readonly kind: ActionRequestKind;
  readonly episodic_id: string | null;
  readonly target_sem_key: string | null;
  /** Canonical JSON of the proposed value, or of its sealed form. */
  readonly held: string;
  readonly is_sealed: boolean;
  readonly justification: string;
  readonly evidence: string;
  readonly proposer_sub: string;
  readonly proposer_user_id: string | null;
  readonly proposer_user_folded: string | null;
  readonly made_for: string | null;
  readonly made_for_folded: string | null;
  readonly source: string;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly quorum: number;
  readonly proposal_hash: string;
  readonly decided_at: string | null;
  readonly rejection_reason: 'votes' | 'tie' | null;
  readonly refusal_code: string | null;
  readonly sem_stream: string | null;
  readonly sem_event_number: number | null;
  /** The reviewer who revised the value last (SPEC G8). */
  readonly editor_sub: string | null;
  readonly editor_user_id: string | null;
  readonly awaits_answer: boolean;
  /** The subs of the reviewers whose last question waits for its answer. */
  readonly waiting_askers: readonly string[];
  /** The subs of the reviewers whose last question is answered. */
  readonly answered_askers: readonly string[];
  /** When the proposer answered last; null without an answer. */
  readonly answered_at: string | null;
  readonly job_seed: string | null;
  /** The category of personal data in the current value; null without any. */
  readonly finding_category: Category | null;
  /** The scope and entity type of the target; `''` without one. */
  readonly target_area: string;
  /** The reasons of the risk that the request's own words give. */
  readonly own_reasons: readonly RiskReason[];
  readonly cited_episodes: readonly string[];
  /** The risk that the last vote recorded; null without one. */
  readonly voted_risk: RiskLevel | null;
  readonly voted_reasons: readonly RiskReason[] | null;
  /** The votes on the current value, and those of them that count towards the quorum. */
  readonly votes_cast: number;
  readonly votes_counted: number;
  /** The number of revisions of the value (SPEC G8). */
  readonly revisions: number;
  /** The number of the last projected event of the request's stream. */
  readonly revision: number;
}

/** A row of the `vote` table. */
export interface StoredVote {
  readonly request_id: string;
  readonly number: number;
  readonly voter_sub: string;
  readonly voter_user_id: string | null;
  readonly vote: Vote;
  readonly reason: string;
  readonly reason_code: ReasonCode | null;
  readonly proposal_hash: string;
  readonly at: string;
}

export const REQUEST = new SealedTable<StoredRequest>('action_requests.request', ['request_id'], {
  request_id: 'plain',
  position: 'bigint',
  status: 'plain',
  kind: 'plain',
  episodic_id: 'plain',
  target_sem_key: 'plain',
  held: 'plain',
  is_sealed: 'plain',
  justification: 'plain',
  evidence: 'plain',
  proposer_sub: 'plain',
  proposer_user_id: 'plain',
  proposer_user_folded: 'plain',
  made_for: 'plain',
  made_for_folded: 'plain',
  source: 'plain',
  requested_at: 'plain',
  expires_at: 'plain',
  quorum: 'plain',
  proposal_hash: 'plain',
  decided_at: 'plain',
  rejection_reason: 'plain',
  refusal_code: 'plain',
  sem_stream: 'plain',
  sem_event_number: 'plain',
  editor_sub: 'plain',
  editor_user_id: 'plain',
  awaits_answer: 'plain',
  waiting_askers: 'plain',
  answered_askers: 'plain',
  answered_at: 'plain',
  job_seed: 'plain',
  finding_category: 'plain',
  target_area: 'plain',
  own_reasons: 'plain',
  cited_episodes: 'plain',
  voted_risk: 'plain',
  voted_reasons: 'plain',
  votes_cast: 'plain',
  votes_counted: 'plain',
  revisions: 'plain',
  revision: 'plain',
});

export const VOTE = new SealedTable<StoredVote>('action_requests.vote', ['request_id', 'number'], {
  request_id: 'plain',
  number: 'plain',
  voter_sub: 'plain',
  voter_user_id: 'plain',
  vote: 'plain',
  reason: 'plain',
  reason_code: 'plain',
  proposal_hash: 'plain',
  at: 'plain',
});
