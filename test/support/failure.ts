import { expect } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import type { TestService } from './service.js';
import type { Answered } from './service-client.js';
import { ensure } from './ensure.js';

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
 * Asserts that the answer is exactly this failure's envelope, and that the service has logged the
 * failure in exactly one line.
 */
export function assertReported(
  service: TestService,
  { status, body }: Answered<ErrorEnvelope>,
  expected: {
    readonly code: ErrorCode;
    /** The fixed text that users see. */
    readonly user_message: string;
    readonly developer_message: string;
    /** Set only if it differs from the severity in the error table. */
    readonly severity?: Severity;
  },
): void {
  const { code, user_message, developer_message } = expected;
  const severity = expected.severity ?? ERROR_TABLE[code].severity;
  expect(body.error_code).toBe(code);
  expect(status).toBe(ERROR_TABLE[code].status);
  const { meta: _, result: __, ...rest } = body;
  expect(rest).toStrictEqual({
    error_code: code,
    status,
    severity,
    user_message,
    developer_message,
  });
  const lines = service.log.filter((line) => line['query_id'] === body.meta.query_id);
  const [line, ...more] = lines.filter((one) => one['type'] === 'error');
  // The service has logged exactly one line for the failure.
  ensure(line !== undefined && more.length === 0);
  for (const field of LOG_TEMPLATE) expect(line).toHaveProperty([field]);
  expect(line['error_code']).toBe(code);
  expect(line['trace_id']).toBe(body.meta.trace_id);
  expect(line['severity']).toBe(severity);
  expect(line['level']).toBe(LEVELS[severity]);
}
