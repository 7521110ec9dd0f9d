import type { Json, JsonObject } from '../json.js';

/** Where the query, or the job, came from (002 §ReflectiveLog A). */
export type LogSource = 'system' | 'user_request' | 'api';
export const LOG_SOURCES: readonly LogSource[] = ['system', 'user_request', 'api'];

/** What one agent said (002 §ReflectiveLog B). */
export type AgentOutput = {
  readonly agent_id: string;
  /** At most 16,000 characters; a larger one is stored once and named by `artifact_url`. */
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  readonly tokens: number;
  readonly time_ms: number;
  /** `artifact:sha256:<hex>` of the whole text (SPEC L1). */
  readonly artifact_url?: string;
};

/** How one member of the council judged an answer (002 §ReflectiveLog B). */
export type CouncilVote = {
  readonly council_agent_id: string;
  readonly scores: VoteScores;
  readonly approve: boolean;
  readonly suggested_changes: string;
  /** At most 4,000 characters. */
  readonly note: string;
};

/** Each 0..1. */
export type VoteScores = {
  readonly factuality: number;
  readonly coherence: number;
  readonly safety: number;
};

/** What stands in a log for personal data that was taken out: its place, a hash, the reason; never the value (SPEC P3). */
export type LogRedaction = {
  /** The log's field that it was taken from. */
  readonly field: string;
  readonly type: string;
  /** An HMAC of the value. */
  readonly hash: string;
  readonly redaction_reason: string;
};

/** The immutable fields of a ReflectiveLog, all of them signed (SPEC L1, L2). */
export type ReflectiveFields = {
  readonly log_id: string;
  /** ISO 8601 UTC; of a job's own log, the seeded time of its end. */
  readonly created_at: string;
  readonly source: LogSource;
  readonly query_id: string;
  /** A keyed hash (SPEC I7). */
  readonly query_text_hash: string;
  readonly qcp_summary: JsonObject;
  readonly agents_invoked: readonly string[];
  readonly agent_outputs: readonly AgentOutput[];
  readonly council_votes: readonly CouncilVote[];
  readonly final_answer: Json;
  /** 0..1, or null where nobody was asked. */
  readonly final_confidence: number | null;
  readonly repair_loops: number;
  readonly cache_hit: boolean;
  readonly sem_snapshot_hash: string;
  readonly runtime_metrics: JsonObject;
  readonly system_version: string;
  readonly job_seed: string;
  /** The hash of the job stream's last event. */
  readonly stream_head_hash: string;
  readonly episodic_snapshot_id: string;
  readonly brainstate_snapshot_id: string;
  readonly evidence: readonly JsonObject[];
  readonly redactions: readonly LogRedaction[];
};
