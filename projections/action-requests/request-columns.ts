import type { ActionRequestKind, ActionRequestStatus } from '#domain/action-request/events.js';
import type { RiskLevel, RiskReason } from '#domain/action-request/risk-reasons.js';
import type { Category } from '#domain/privacy/finding.js';
import {
  bigint,
  bool,
  int,
  largeText,
  orNull,
  type RowWith,
  text,
  texts,
} from '#read-model/columns.js';

/** The columns of a request; `request-row.ts` fills them. */
export const REQUEST_COLUMNS = {
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
  evidence: largeText(),
  /** The first entries of the evidence, whose canonical JSON is short, and the number of all entries. */
  evidence_excerpt: text(),
  evidence_count: int(),
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
  /** The sub of the reviewer who works on it; null for nobody. */
  assigned_to: orNull(text()),
  /** The job of the episode, and the category of personal data in the value: what a consent has to cover (SPEC P4). */
  job_seed: orNull(text()),
  /** The category of personal data in the current value; null without any. */
  finding_category: orNull(text<Category>()),
  /** The scope and entity type of the target; `''` without one. */
  target_area: text(),
  /** The reasons of the risk that the request's own words give, with the current value. */
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
  /** Commit position of that event: a list of an earlier position folds the request anew. */
  last_position: bigint(),
};
export type StoredRequest = RowWith<typeof REQUEST_COLUMNS>;
/** A row as lists read it: the evidence can be large, and they show its first entries. */
export type BriefRequest = Omit<StoredRequest, 'evidence'>;

/** The columns that only the table has, or has in another form than `ActionRequestRow`. */
const STORAGE_COLUMNS = [
  ...(['position', 'held', 'is_sealed', 'evidence_excerpt', 'made_for_folded'] as const),
  ...(['proposer_sub', 'proposer_user_id', 'proposer_user_folded'] as const),
  ...(['editor_sub', 'editor_user_id', 'waiting_askers', 'answered_askers'] as const),
  ...(['target_area', 'own_reasons', 'cited_episodes', 'voted_risk', 'voted_reasons'] as const),
  ...(['last_position'] as const),
] satisfies readonly (keyof BriefRequest)[];
export type StorageColumn = (typeof STORAGE_COLUMNS)[number];

const STORED_ONLY: ReadonlySet<string> = new Set(STORAGE_COLUMNS);

/** Returns the columns of a row that are not only storage. */
export const withoutStorage = <Row extends BriefRequest>(row: Row): Omit<Row, StorageColumn> =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !STORED_ONLY.has(column))) as Omit<
    Row,
    StorageColumn
  >;
