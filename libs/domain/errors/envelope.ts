import { developerMessage, ERROR_TABLE, type ErrorCode, type Severity } from './error-table.js';
import { clearText } from '../privacy/clear-text.js';
import type { Refusal } from './refusal.js';

/** The fields that describe the request, not the failure. */
export interface EnvelopeMeta {
  readonly query_id: string;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
  readonly trace_id: string;
}

/** The answer to every failure (SPEC §10). The refusal may add fields, such as `result` of a SEM miss. */
export interface ErrorEnvelope {
  readonly error_code: ErrorCode;
  readonly status: number;
  readonly severity: Severity;
  readonly user_message: string;
  readonly developer_message: string;
  readonly meta: EnvelopeMeta;
  readonly [extra: string]: unknown;
}

/** Redacts the facts: a path or key that they name comes from a caller and can hold anything (SPEC P6). */
const clearFacts = (facts: Refusal['facts']): Refusal['facts'] =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? clearText(fact) : fact,
    ]),
  );

/** @param severity replaces the table's severity if the failure persists. */
export function toEnvelope(
  refusal: Refusal,
  meta: EnvelopeMeta,
  severity: Severity = ERROR_TABLE[refusal.code].severity,
): ErrorEnvelope {
  const { status, user_message } = ERROR_TABLE[refusal.code];
  return {
    ...refusal.extra,
    error_code: refusal.code,
    status,
    severity,
    user_message,
    developer_message: developerMessage(refusal.code, clearFacts(refusal.facts)),
    meta,
  };
}
