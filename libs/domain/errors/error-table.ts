import { keysOf } from '../keys-of.js';
import messages from './golden_messages.json' with { type: 'json' };

/** Every code of SPEC §10 with the names of the placeholders in its developer_message. */
export interface ErrorFacts {
  readonly SEM_NOT_FOUND: 'key';
  readonly SEM_WRITE_FAIL: 'stream';
  readonly MEMORY_WRITE_FAIL: 'stream';
  readonly ROUTER_NO_MATCH: never;
  readonly AGENT_TIMEOUT: 'agent_id' | 'timeout_ms';
  readonly AGENT_ERROR: 'agent_id';
  readonly LLM_SERVICE_DOWN: 'reason';
  readonly COUNCIL_DEADLOCK: 'score' | 'threshold';
  readonly LOW_CONFIDENCE: 'confidence' | 'min_confidence';
  readonly REPAIR_LIMIT_EXCEEDED: 'max_repair_loops';
  readonly INVALID_INPUT: 'reason';
  readonly PRIVACY_BLOCKED: 'finding_types';
  readonly PII_BLOCKED: 'finding_types';
  readonly CACHE_ERROR: 'reason';
  readonly LOG_INVALID: 'reason';
  readonly STORAGE_FULL: 'stream';
  readonly PERMISSION_DENIED: 'action' | 'rule';
  readonly PROMOTION_LOOP: 'wm_id';
  readonly UNAUTHENTICATED: 'reason';
  readonly NOT_FOUND: 'what' | 'id';
  readonly METHOD_NOT_ALLOWED: 'method' | 'allowed';
  readonly JOB_EXISTS: 'job_seed';
  readonly JOB_ENDED: 'job_seed';
  readonly LOG_EXISTS: 'log_id';
  readonly VERSION_CONFLICT: 'what' | 'expected' | 'actual';
  readonly IDEMPOTENCY_MISMATCH: 'command_id';
  readonly IMMUTABLE_FIELD: 'field' | 'what';
  readonly REPLAY_DIVERGENCE: 'number' | 'stream';
  readonly INTEGRITY_FAILURE: 'number' | 'stream' | 'reason';
  readonly PROJECTION_LAG: 'projection' | 'position';
  readonly READ_UNAVAILABLE: 'reason';
  readonly RATE_LIMITED: 'limit';
  readonly INTERNAL: never;
}

export type ErrorCode = keyof ErrorFacts;

/** The values for a developer_message: names, keys, ids and numbers, never a personal value (SPEC P6). */
export type FactsOf<Code extends ErrorCode> = {
  readonly [Name in ErrorFacts[Code]]: string | number;
};

export type Severity = 'info' | 'warning' | 'error' | 'critical';

interface ErrorEntry {
  /** HTTP status. */
  readonly status: number;
  readonly severity: Severity;
  /** True if a refusal with this code is recorded in the caller's audit stream (SPEC I1). */
  readonly audited: boolean;
  /** The text shown to people, byte for byte as the golden tests require; empty if people see nothing. */
  readonly user_message: string;
  /** The text for developers: a fixed sentence with `{placeholders}`. */
  readonly developer_message: string;
  /** Shown in place of the developer_message if an erasure is the reason. */
  readonly beside_erasure?: string;
  /** What to do instead, unless the refusal itself says it. */
  readonly instead?: string;
}

/** The table of all failures. Their messages stand only in golden_messages.json (SPEC I8). */
export const ERROR_TABLE = messages as Readonly<Record<ErrorCode, ErrorEntry>>;

export const ERROR_CODES = keysOf(ERROR_TABLE);

/** Returns the developer_message of a code with its placeholders filled in. */
export function developerMessage(
  code: ErrorCode,
  facts: Readonly<Record<string, string | number>>,
  isBesideErasure = false,
): string {
  const { developer_message, beside_erasure = developer_message } = ERROR_TABLE[code];
  return (isBesideErasure ? beside_erasure : developer_message).replace(
    /\{(\w+)\}/g,
    (_, name: string) => (Object.hasOwn(facts, name) ? String(facts[name]) : '(not given)'),
  );
}
