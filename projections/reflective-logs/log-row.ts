import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import type { LogWritten } from '#domain/reflective-log/events.js';
import type { LogSource, ReflectiveFields } from '#domain/reflective-log/fields.js';
import { isSignedBy, type Keyring, type Signature } from '#domain/reflective-log/signature.js';
import type { LogRow } from './tables.js';

/** Returns the row of a log whose event has this commit position. */
export function rowOf({ log, signature, owner, origin }: LogWritten, position: bigint): LogRow {
  return {
    log_id: log.log_id,
    position: position.toString(),
    created_at: log.created_at,
    source: log.source,
    query_id: log.query_id,
    query_text_hash: log.query_text_hash,
    qcp_summary: canonicalJson(log.qcp_summary),
    agents_invoked: canonicalJson(log.agents_invoked),
    agent_outputs: canonicalJson(log.agent_outputs),
    council_votes: canonicalJson(log.council_votes),
    final_answer: canonicalJson(log.final_answer),
    final_confidence: log.final_confidence,
    repair_loops: log.repair_loops,
    cache_hit: log.cache_hit,
    sem_snapshot_hash: log.sem_snapshot_hash,
    runtime_metrics: canonicalJson(log.runtime_metrics),
    system_version: log.system_version,
    job_seed: log.job_seed,
    stream_head_hash: log.stream_head_hash,
    episodic_snapshot_id: log.episodic_snapshot_id,
    brainstate_snapshot_id: log.brainstate_snapshot_id,
    evidence: canonicalJson(log.evidence),
    redactions: canonicalJson(log.redactions),
    signature_key_id: signature.key_id,
    signature: signature.value,
    origin,
    owner_sub: owner.sub,
    owner_user_id: owner.user_id,
    owner_user_folded: owner.user_id === null ? null : foldUserId(owner.user_id),
  };
}

/** Parses a JSON column. A tampered column may not be JSON. */
function parsed<Value extends Json>(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text as Value;
  }
}

/** Returns the immutable fields in a row, which its signature must cover. */
export const fieldsOf = (row: LogRow): ReflectiveFields => ({
  log_id: row.log_id,
  created_at: row.created_at,
  source: row.source as LogSource,
  query_id: row.query_id,
  query_text_hash: row.query_text_hash,
  qcp_summary: parsed(row.qcp_summary),
  agents_invoked: parsed(row.agents_invoked),
  agent_outputs: parsed(row.agent_outputs),
  council_votes: parsed(row.council_votes),
  final_answer: parsed(row.final_answer),
  final_confidence: row.final_confidence,
  repair_loops: row.repair_loops,
  cache_hit: row.cache_hit,
  sem_snapshot_hash: row.sem_snapshot_hash,
  runtime_metrics: parsed(row.runtime_metrics),
  system_version: row.system_version,
  job_seed: row.job_seed,
  stream_head_hash: row.stream_head_hash,
  episodic_snapshot_id: row.episodic_snapshot_id,
  brainstate_snapshot_id: row.brainstate_snapshot_id,
  evidence: parsed(row.evidence),
  redactions: parsed(row.redactions),
});

export const signatureOf = (row: LogRow): Signature => ({
  key_id: row.signature_key_id,
  value: row.signature,
});

/** True if one of the keys signed exactly this row (SPEC L2). */
export const isSigned = (row: LogRow, keyring: Keyring): boolean =>
  isSignedBy(fieldsOf(row), signatureOf(row), keyring);

/** Returns the columns in which a row differs from the row that the event log records, in column order. */
export const differingColumns = (row: LogRow, recorded: LogRow): (keyof LogRow)[] =>
  (Object.keys(recorded) as (keyof LogRow)[]).filter((name) => row[name] !== recorded[name]);
