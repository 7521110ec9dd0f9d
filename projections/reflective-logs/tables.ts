import type { AmendmentEffect, LogOrigin } from '#domain/reflective-log/events.js';
import { bigint, bool, int, orNull, real, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** The signed logs, with the columns of the Stage-0 schema. JSON is stored as canonical text, and instants as signed: jsonb and timestamptz would not return the signed bytes. */
export const LOG = readTable('reflective_logs.reflective_log_stage0', {
  key: ['log_id'],
  columns: {
    log_id: text(),
    /** The commit position of the row's event. */
    position: bigint(),
    created_at: text(),
    source: text(),
    query_id: text(),
    query_text_hash: text(),
    qcp_summary: text(),
    agents_invoked: text(),
    agent_outputs: text(),
    council_votes: text(),
    final_answer: text(),
    final_confidence: orNull(real()),
    repair_loops: int(),
    cache_hit: bool(),
    sem_snapshot_hash: text(),
    runtime_metrics: text(),
    system_version: text(),
    job_seed: text(),
    stream_head_hash: text(),
    episodic_snapshot_id: text(),
    brainstate_snapshot_id: text(),
    evidence: text(),
    redactions: text(),
    signature_key_id: text(),
    signature: text(),
    origin: text<LogOrigin>(),
    owner_sub: text(),
    owner_user_id: orNull(text()),
    /** Folded: case and an initial `user_` do not matter (SPEC I9). */
    owner_user_folded: orNull(text()),
  },
  indexes: {
    reflective_log_by_position: '(position)',
    reflective_log_by_query: '(query_id)',
    reflective_log_by_created_at: '(created_at)',
    reflective_log_by_job: '(job_seed)',
    reflective_log_by_owner: '(owner_sub, position)',
  },
});
/** A row of the table `reflective_log_stage0`. */
export type LogRow = RowOf<typeof LOG>;

/** Quarantined rows and submissions, for people to inspect (SPEC L5). */
export const QUARANTINE = readTable('reflective_logs.quarantine', {
  key: ['quarantine_id'],
  columns: {
    quarantine_id: text(),
    position: bigint(),
    at: text(),
    fault: text<'tampered' | 'missing' | 'forged' | 'submitted'>(),
    log_id: orNull(text()),
    reason: text(),
    /** Canonical JSON of the finding, after the privacy gate. */
    detail: text(),
  },
  unique: [['position']],
});
/** A row of the table `quarantine`. */
export type StoredQuarantine = RowOf<typeof QUARANTINE>;

/** Human reviews that a log's owner requested (SPEC A3). */
export const REVIEW = readTable('reflective_logs.review', {
  key: ['review_id'],
  columns: {
    review_id: text(),
    position: bigint(),
    log_id: text(),
    requested_at: text(),
    requested_by_sub: text(),
    requested_by_user_id: orNull(text()),
    reason: text(),
    resolved_at: orNull(text()),
    amendment_id: orNull(text()),
    effect: orNull(text<AmendmentEffect>()),
  },
  unique: [['position']],
  indexes: {
    review_open: '(position) where resolved_at is null',
  },
});
/** A row of the table `review`. */
export type StoredReview = RowOf<typeof REVIEW>;

/** The service can only read and insert (SPEC L3). */
export const GRANT = `
do $$
begin
  if exists (select from pg_roles where rolname = 'mace_api') then
    grant insert on reflective_log_stage0 to mace_api;
  end if;
end $$;`;
