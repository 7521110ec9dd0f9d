import { developerMessage, ERROR_TABLE, type ErrorCode, type Severity } from './error-table.js';
import { clearText } from '../privacy/clear-text.js';
import type { RuleSet } from '../privacy/rule-set.js';
import { type ErrorHelp, fieldsNamed, shownHelp, type Teaching } from './help.js';
import type { Refusal } from './refusal.js';

/** The fields that describe the request, not the failure. */
export interface EnvelopeMeta {
  readonly query_id: string;
  /** The time of the failure, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly trace_id: string;
}

/** The answer to every failure (SPEC §10). The refusal may add fields; for example, a missing fact adds `result`. */
export interface ErrorEnvelope {
  readonly error_code: ErrorCode;
  readonly status: number;
  readonly severity: Severity;
  readonly user_message: string;
  readonly developer_message: string;
  readonly meta: EnvelopeMeta & { readonly help?: ErrorHelp };
  readonly [extra: string]: unknown;
}

/**
 * Redacts personal data in the facts of a refusal, because a path or key that they name comes from a
 * caller and can contain anything (SPEC P6).
 */
export const clearFacts = (facts: Refusal['facts'], rules: RuleSet): Refusal['facts'] =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? clearText(fact, rules) : fact,
    ]),
  );

/** Returns what a code, and the reason of an invalid input, teach of themselves. */
function taughtBy(code: ErrorCode, { reason }: Refusal['facts']): Teaching {
  const { instead } = ERROR_TABLE[code];
  const fields = code === 'INVALID_INPUT' ? fieldsNamed(reason) : undefined;
  return {
    ...(instead === undefined ? {} : { instead }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/**
 * @param rules find the personal data in the refusal's facts. @param severity replaces the severity in the error table; the caller passes it if the failure
 * persists.
 */
export function toEnvelope(
  refusal: Refusal,
  meta: EnvelopeMeta,
  rules: RuleSet,
  severity: Severity = ERROR_TABLE[refusal.code].severity,
): ErrorEnvelope {
  const { status, user_message } = ERROR_TABLE[refusal.code];
  const facts = clearFacts(refusal.facts, rules);
  const help = shownHelp({ ...taughtBy(refusal.code, facts), ...refusal.help }, rules);
  return {
    ...refusal.extra,
    error_code: refusal.code,
    status,
    severity,
    user_message,
    developer_message: developerMessage(refusal.code, facts, refusal.isBesideErasure),
    meta: help === undefined ? meta : { ...meta, help },
  };
}
