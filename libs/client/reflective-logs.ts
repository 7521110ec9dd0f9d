import type { Json, JsonObject } from './json.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** What one agent said. */
export interface AgentOutput {
  readonly agent_id: string;
  /** At most 16,000 characters stand in the log; the whole of a longer one is what `artifact_url` names. */
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  readonly tokens: number;
  readonly time_ms: number;
  readonly artifact_url?: string;
}

/** How one member of a council judged an answer. Scores are 0..1; a note has at most 4,000 characters. */
export interface CouncilVote {
  readonly council_agent_id: string;
  readonly scores: {
    readonly factuality: number;
    readonly coherence: number;
    readonly safety: number;
  };
  readonly approve: boolean;
  readonly suggested_changes: string;
  readonly note: string;
}

/** A runtime's own account of what it did: handed over with a job's end, or part of a posted log. */
export interface LogAccount {
  readonly source: 'system' | 'user_request' | 'api';
  readonly query_id: string;
  /** 64 hex digits; best a keyed hash, since that of a short text can be guessed. */
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
  readonly runtime_metrics: JsonObject;
  readonly system_version: string;
}

/** What stands in a log for personal data that was taken out. */
export interface LogRedaction {
  readonly field: string;
  readonly type: string;
  readonly hash: string;
  readonly redaction_reason: string;
}

/** A whole log, as it is posted: every field is needed, and none of them ever changes. */
export interface PostLog extends LogAccount {
  /** A UUID of any version but 5, or a SHA-256, in lower case. */
  readonly log_id: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly sem_snapshot_hash: string;
  readonly job_seed: string;
  /** The hash of the job stream's last event. */
  readonly stream_head_hash: string;
  readonly episodic_snapshot_id: string;
  readonly brainstate_snapshot_id: string;
  readonly evidence: readonly JsonObject[];
  readonly redactions: readonly LogRedaction[];
  /** Checked, if it is given. */
  readonly signature?: LogSignature;
}

/** HMAC-SHA256 over the canonical JSON of all fields of `PostLog` but this one. */
export interface LogSignature {
  readonly key_id: string;
  readonly value: string;
}

/** A log as the service keeps it. */
export interface SignedLog extends Omit<PostLog, 'signature'> {
  readonly signature: LogSignature;
  /** Whether the signature verifies over what is shown here. */
  readonly signature_valid: boolean;
  /** `job`: the log of an ended job; `posted`: brought by an agent. */
  readonly origin: 'job' | 'posted';
}

export type AmendmentEffect = 'note' | 'override_suggestion' | 'revalidate';

interface Added {
  readonly created_at: string;
  readonly author: { readonly sub: string; readonly user_id: string | null; readonly role: string };
  readonly redactions: readonly LogRedaction[];
}

export interface Amendment extends Added {
  readonly amendment_id: string;
  readonly target_log_id: string;
  readonly changes: JsonObject;
  readonly effect: AmendmentEffect;
}

export interface Feedback extends Added {
  readonly feedback_id: string;
  readonly rating: number | null;
  readonly comment: string | null;
}

export interface GroundTruthLabel extends Added {
  readonly label_id: string;
  readonly ground_truth_label: Json;
}

export interface Review extends Added {
  readonly review_id: string;
  readonly reason: string;
}

/** A log with what was added to it, which changes nothing in it. */
export interface LogWithAdditions extends SignedLog {
  readonly amendments: readonly Amendment[];
  readonly user_feedback: readonly Feedback[];
  readonly ground_truth_labels: readonly GroundTruthLabel[];
  readonly audit_tags: readonly string[];
  /** The human review that was asked for and is still to be given. */
  readonly open_review: Review | null;
}

/** `tampered`, `missing`, `forged`: quarantined and healed. `unverifiable`: the key is not known here. */
export interface LogFinding {
  readonly log_id: string;
  readonly fault: 'tampered' | 'missing' | 'forged' | 'unverifiable' | 'broken';
  readonly reason: string;
  readonly quarantine_id: string | null;
  readonly healed: boolean;
}

export interface LogVerification {
  readonly checked: number;
  readonly intact: number;
  readonly findings: readonly LogFinding[];
}

export interface QuarantineEntry {
  readonly quarantine_id: string;
  readonly fault: 'tampered' | 'missing' | 'forged' | 'submitted';
  readonly log_id: string | null;
  readonly reason: string;
  readonly at: string;
  readonly detail: JsonObject;
}

interface LogsFilter {
  readonly job_seed?: string;
  readonly query_id?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Signed accounts of what jobs and agents did. */
export class ReflectiveLogs {
  constructor(private readonly transport: Transport) {}

  /** Writes a log. Fails with LOG_EXISTS for a known id, with LOG_INVALID for what is not a whole log. */
  post(
    log: PostLog,
    options?: WriteOptions,
  ): Promise<{ readonly log_id: string; readonly signature: LogSignature }> {
    return this.write('', log, options);
  }

  /** One log, with every addition that was acknowledged before. */
  get(logId: string, options?: ReadOptions): Promise<LogWithAdditions> {
    return this.transport.json({ method: 'GET', path: pathOf(`/${logId}`), options });
  }

  /** The whole texts of a log's long outputs, by `artifact_url`; null for one that is gone or has changed. */
  async artifacts(
    logId: string,
    options?: ReadOptions,
  ): Promise<Readonly<Record<string, string | null>>> {
    const { artifacts } = await this.transport.json<{ artifacts: Record<string, string | null> }>({
      method: 'GET',
      path: pathOf(`/${logId}`),
      query: { artifacts: 'true' },
      options,
    });
    return artifacts;
  }

  /** One page, oldest first; of one's own logs, unless council, auditor or admin. */
  list(
    filter: LogsFilter = {},
    options?: ReadOptions,
  ): Promise<{
    readonly reflective_logs: readonly SignedLog[];
    readonly next_cursor: string | null;
  }> {
    const query = { ...filter };
    return this.transport.json({ method: 'GET', path: pathOf(''), query, options });
  }

  /** Corrects or comments a log, which itself stays as it is. */
  amend(
    logId: string,
    amendment: { readonly changes: JsonObject; readonly effect: AmendmentEffect },
    options?: WriteOptions,
  ): Promise<Amendment> {
    return this.write(`/${logId}/amendments`, amendment, options);
  }

  /** What the user thinks of the answer: a rating from 1 to 5, a comment or both. Users. */
  giveFeedback(
    logId: string,
    feedback: { readonly rating?: number; readonly comment?: string },
    options?: WriteOptions,
  ): Promise<Feedback> {
    return this.write(`/${logId}/feedback`, feedback, options);
  }

  /** What turned out to be true. */
  label(
    logId: string,
    ground_truth_label: Json,
    options?: WriteOptions,
  ): Promise<GroundTruthLabel> {
    return this.write(`/${logId}/labels`, { ground_truth_label }, options);
  }

  /** Tags of the audit; answers all that the log has. Auditors and admins. */
  tag(
    logId: string,
    audit_tags: readonly string[],
    options?: WriteOptions,
  ): Promise<{ readonly audit_tags: readonly string[] }> {
    return this.write(`/${logId}/tags`, { audit_tags }, options);
  }

  /** Asks the council to look at it; one that is open already is the answer to a second. */
  requestReview(logId: string, reason: string, options?: WriteOptions): Promise<Review> {
    return this.write(`/${logId}/reviews`, { reason }, options);
  }

  /** Checks every row against its signature and the log; what differs is quarantined and healed. */
  verify(options?: WriteOptions): Promise<LogVerification> {
    return this.write('/verification', {}, options);
  }

  /** One page of what was no good. Auditors and admins. */
  quarantine(
    filter: { readonly cursor?: string; readonly limit?: number } = {},
    options?: ReadOptions,
  ): Promise<{
    readonly quarantine: readonly QuarantineEntry[];
    readonly next_cursor: string | null;
  }> {
    const query = { ...filter };
    return this.transport.json({ method: 'GET', path: '/v1/quarantine', query, options });
  }

  private write<Answer>(below: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.json({ method: 'POST', path: pathOf(below), body, options });
  }
}

const pathOf = (below: string): string => `/v1/reflective-logs${below}`;
