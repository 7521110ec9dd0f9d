import type { Json, JsonObject } from '../json.js';

/** Thrown for an invalid log. The message names the place and the broken rule, never a value (SPEC L5, P6). */
export class LogProblem extends Error {
  override readonly name = 'LogProblem';

  constructor(readonly reason: string) {
    super(reason);
  }
}

/** The origin of the query or the job (002 §ReflectiveLog A). */
export type LogSource = 'system' | 'user_request' | 'api';
export const LOG_SOURCES: readonly LogSource[] = ['system', 'user_request', 'api'];

/** The output of one agent (002 §ReflectiveLog B). */
export type AgentOutput = {
  readonly agent_id: string;
  /** The text, at most 16,000 characters. A longer text is stored as an artifact that `artifact_url` names. */
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  readonly tokens: number;
  readonly time_ms: number;
  /** The artifact that has the whole text, `artifact:sha256:<hex>` (SPEC L1). */
  readonly artifact_url?: string;
};

/** How one member of the council judged an answer (002 §ReflectiveLog B). */
export type CouncilVote = {
  readonly council_agent_id: string;
  readonly scores: VoteScores;
  readonly approve: boolean;
  readonly suggested_changes: string;
  /** The note, at most 4,000 characters. */
  readonly note: string;
};

/** Each 0..1. */
export type VoteScores = {
  readonly factuality: number;
  readonly coherence: number;
  readonly safety: number;
};

/** Records that personal data was removed: its place, a hash and the reason, never the value (SPEC P3). */
export type LogRedaction = {
  /** The field of the log from which the personal data was removed. */
  readonly field: string;
  readonly type: string;
  /** An HMAC of the value. */
  readonly hash: string;
  readonly redaction_reason: string;
};

/** The immutable fields of a ReflectiveLog, all of them signed (SPEC L1, L2). */
export type ReflectiveFields = {
  readonly log_id: string;
  /** The time of the log, ISO 8601 UTC; for a job's own log, the seeded time of the job's end. */
  readonly created_at: string;
  readonly source: LogSource;
  readonly query_id: string;
  /** A keyed hash of the query's text (SPEC I7). */
  readonly query_text_hash: string;
  readonly qcp_summary: JsonObject;
  readonly agents_invoked: readonly string[];
  readonly agent_outputs: readonly AgentOutput[];
  readonly council_votes: readonly CouncilVote[];
  readonly final_answer: Json;
  /** The confidence of the answer, 0 to 1; null if no agent was asked. */
  readonly final_confidence: number | null;
  readonly repair_loops: number;
  readonly cache_hit: boolean;
  readonly sem_snapshot_hash: string;
  readonly runtime_metrics: JsonObject;
  readonly system_version: string;
  readonly job_seed: string;
  /** The hash of the last event in the job's stream. */
  readonly stream_head_hash: string;
  readonly episodic_snapshot_id: string;
  readonly brainstate_snapshot_id: string;
  readonly evidence: readonly JsonObject[];
  readonly redactions: readonly LogRedaction[];
};
