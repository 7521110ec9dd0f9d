import type { AmendmentEffect } from '#domain/reflective-log/events.js';
import { SealedTable } from '#read-model/sealed-table.js';
import type { LogRow } from './log-row.js';

export const LOG = new SealedTable<LogRow>('reflective_logs.reflective_log_stage0', ['log_id'], {
  log_id: 'plain',
  position: 'bigint',
  created_at: 'plain',
  source: 'plain',
  query_id: 'plain',
  query_text_hash: 'plain',
  qcp_summary: 'plain',
  agents_invoked: 'plain',
  agent_outputs: 'plain',
  council_votes: 'plain',
  final_answer: 'plain',
  final_confidence: 'plain',
  repair_loops: 'plain',
  cache_hit: 'plain',
  sem_snapshot_hash: 'plain',
  runtime_metrics: 'plain',
  system_version: 'plain',
  job_seed: 'plain',
  stream_head_hash: 'plain',
  episodic_snapshot_id: 'plain',
  brainstate_snapshot_id: 'plain',
  evidence: 'plain',
  redactions: 'plain',
  signature_key_id: 'plain',
  signature: 'plain',
  origin: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
  owner_user_folded: 'plain',
});

/** A row of the `quarantine` table. */
export interface StoredQuarantine {
  readonly quarantine_id: string;
  readonly position: string;
  readonly at: string;
  readonly fault: 'tampered' | 'missing' | 'forged' | 'submitted';
  readonly log_id: string | null;
  readonly reason: string;
  /** Canonical JSON of the finding, after the privacy gate. */
  readonly detail: string;
}

export const QUARANTINE = new SealedTable<StoredQuarantine>(
  'reflective_logs.quarantine',
  ['quarantine_id'],
  {
    quarantine_id: 'plain',
    position: 'bigint',
    at: 'plain',
    fault: 'plain',
    log_id: 'plain',
    reason: 'plain',
    detail: 'plain',
  },
);

/** A row of the `review` table. */
export interface StoredReview {
  readonly review_id: string;
  readonly position: string;
  readonly log_id: string;
  readonly requested_at: string;
  readonly requested_by_sub: string;
  readonly requested_by_user_id: string | null;
  readonly reason: string;
  readonly resolved_at: string | null;
  readonly amendment_id: string | null;
  readonly effect: AmendmentEffect | null;
}

export const REVIEW = new SealedTable<StoredReview>('reflective_logs.review', ['review_id'], {
  review_id: 'plain',
  position: 'bigint',
  log_id: 'plain',
  requested_at: 'plain',
  requested_by_sub: 'plain',
  requested_by_user_id: 'plain',
  reason: 'plain',
  resolved_at: 'plain',
  amendment_id: 'plain',
  effect: 'plain',
});
