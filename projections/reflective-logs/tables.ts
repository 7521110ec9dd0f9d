import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { ReflectiveLogEvent } from '#domain/reflective-log/events.js';
import { quarantineDecider } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import { idOfReflectiveStream } from '#domain/stream-names.js';
import type { Logged } from '#read-model/projection.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { AmendmentEffect, LogOrigin } from '#domain/reflective-log/events.js';
import {
  bigint,
  bool,
  int,
  orNull,
  real,
  text,
  type RowOf,
  type RowWith,
} from '#read-model/columns.js';
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
export type LogRow = RowOf<typeof LOG>;

/** Quarantined rows and submissions, for people to inspect (SPEC L5). */
export const QUARANTINE = foldedTable('reflective_logs.quarantine', {
  reads: [reflectiveLogDecider, quarantineDecider],
  types: ['log_quarantined'],
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
  adds: ({ position, data: { quarantine_id, at, fault, log_id, reason, ...detail } }) => [
    {
      ...{ quarantine_id, at, fault, log_id, reason },
      position: position.toString(),
      detail: canonicalJson(detail),
    },
  ],
});
export type StoredQuarantine = RowOf<typeof QUARANTINE>;

const REVIEW_COLUMNS = {
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
};
export type StoredReview = RowWith<typeof REVIEW_COLUMNS>;

/** Human reviews that a log's owner requested (SPEC A3). */
export const REVIEW = foldedTable('reflective_logs.review', {
  reads: [reflectiveLogDecider],
  types: ['review_requested', 'review_resolved'],
  key: ['review_id'],
  columns: REVIEW_COLUMNS,
  unique: [['position']],
  indexes: {
    review_open: '(position) where resolved_at is null',
  },
  at: ({ data: { review_id } }) => [{ review_id }],
  row: (before, event) =>
    event.type === 'review_requested'
      ? requested(event)
      : before && { ...before, ...resolutionIn(event.data) },
});

const requested = ({
  position,
  stream,
  data,
}: Logged<Extract<ReflectiveLogEvent, { type: 'review_requested' }>>): StoredReview => ({
  review_id: data.review_id,
  position: position.toString(),
  log_id: idOfReflectiveStream(stream),
  requested_at: data.created_at,
  requested_by_sub: data.author.sub,
  requested_by_user_id: data.author.user_id,
  reason: data.reason,
  resolved_at: null,
  amendment_id: null,
  effect: null,
});

const resolutionIn = ({
  resolved_at,
  amendment_id,
  effect,
}: Extract<ReflectiveLogEvent, { type: 'review_resolved' }>['data']) => ({
  resolved_at,
  amendment_id,
  effect,
});

/** The service can only read and insert (SPEC L3). */
export const GRANT = `
do $$
begin
  if exists (select from pg_roles where rolname = 'mace_api') then
    grant insert on reflective_log_stage0 to mace_api;
  end if;
end $$;`;
