import { expect } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { ErrorCode, ErrorFacts, FactsOf, Severity } from '#domain/errors/error-table.js';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import { ensure } from './ensure.js';
import { INSTANT, TRACE_ID, UUID } from './matchers.js';
import type { TestService } from './service.js';
import type { Answered } from './service-client.js';

/** A failure as golden_messages.json words it, with the facts of one case. */
export interface Failure {
  readonly code: ErrorCode;
  readonly status: number;
  readonly severity: Severity;
  readonly user_message: string;
  readonly developer_message: string;
  /** The fields of its envelope that other failures do not have. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type LogLine = Readonly<Record<string, unknown>>;

/** Returns what golden_messages.json says of a failure, with the facts in its developer_message. */
export function failureOf<Code extends ErrorCode>(
  code: Code,
  ...[facts]: [ErrorFacts[Code]] extends [never] ? [] : [facts: FactsOf<Code>]
): Failure {
  const { status, severity, user_message, developer_message } = messages[code];
  const filled = Object.entries<string | number>(facts ?? {}).reduce(
    (text, [name, fact]) => text.replace(`{${name}}`, () => String(fact)),
    developer_message,
  );
  return {
    code,
    status,
    severity: severity as Severity,
    user_message,
    developer_message: filled,
  };
}

/** Returns the failure of a read or a question whose key has no fact. */
export const missOf = (key: string): Failure => ({
  ...failureOf('SEM_NOT_FOUND', { key }),
  extra: { result: { exists: false, value: null } },
});

/** The fields of the logging template, which each failure's log line must have (SPEC F3). */
export const LOG_TEMPLATE = [
  'query_id',
  'trace_id',
  'timestamp',
  'agent_id',
  'time_ms',
  'sem_snapshot_hash',
  'qcp_summary',
  'system_version',
];
const LEVELS = { info: 'info', warning: 'warn', error: 'error', critical: 'fatal' } as const;

/**
 * Asserts that the answer is exactly this failure's envelope, beside its help, and that the service has logged the
 * failure, and no other one, in exactly one line. Returns the line.
 */
export function assertReported(
  service: TestService,
  { status, body }: Answered<ErrorEnvelope>,
  failure: Failure,
): LogLine {
  expect([withoutHelp(body), status]).toStrictEqual([envelopeOf(failure), failure.status]);
  const line = loggedOnce(service, body, failure, 'error');
  const ofRequest = service.log.filter(({ query_id }) => query_id === body.meta.query_id);
  expect(ofRequest.filter(({ type }) => type === 'error')).toStrictEqual([line]);
  return line;
}

/** Asserts that a notice is exactly this failure's envelope, in exactly one log line, which it returns. */
export function assertNoticed(
  service: TestService,
  notice: ErrorEnvelope | undefined,
  failure: Failure,
): LogLine {
  ensure(notice);
  expect(withoutHelp(notice)).toStrictEqual(envelopeOf(failure));
  return loggedOnce(service, notice, failure, 'notice');
}

/** Returns what the specification fixes of an envelope; `test/end-to-end/errors-teach.test.ts` asserts its help. */
function withoutHelp({ meta: { help: _, ...meta }, ...envelope }: ErrorEnvelope): object {
  return { ...envelope, meta };
}

const envelopeOf = ({ code, extra, ...fixed }: Failure) => ({
  ...fixed,
  ...extra,
  error_code: code,
  meta: { query_id: UUID, timestamp: INSTANT, trace_id: TRACE_ID },
});

function loggedOnce(
  service: TestService,
  envelope: ErrorEnvelope,
  { status, severity }: Failure,
  type: 'error' | 'notice',
): LogLine {
  const line = lineOf(service, envelope);
  expect(line).toMatchObject({ type, status, severity, level: LEVELS[severity] });
  return line;
}

/** Returns the one log line of a failure or notice. Asserts the fields that all of them have (SPEC F3). */
export function lineOf(service: TestService, { error_code, meta }: ErrorEnvelope): LogLine {
  const [line, ...more] = service.log.filter(
    (one) =>
      one['query_id'] === meta.query_id &&
      one['error_code'] === error_code &&
      one['type'] !== 'agent_failed',
  );
  ensure(line !== undefined && more.length === 0);
  for (const field of LOG_TEMPLATE) expect(line).toHaveProperty([field]);
  expect(line).toMatchObject({
    trace_id: meta.trace_id,
    system_version: expect.stringMatching(/^mace-\d+\.\d+\.\d+$/),
  });
  return line;
}
