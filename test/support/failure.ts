import { expect } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode, type Severity } from '#domain/errors/error-table.js';
import type { Answered, TestService } from './service.js';
import { ensure } from './ensure.js';

/** The fields of the logging template that each failure's line has (SPEC F3). */
export const LOG_TEMPLATE = [
  'query_id',
  'trace_id',
  'timestamp',
  'agent_id',
  'time_ms',
  'sem_snapshot_hash',
  'system_version',
];
const LEVELS = { info: 'info', warning: 'warn', error: 'error', critical: 'fatal' } as const;

/**
 * A failure as every caller and every operator must be told it: the envelope, word by word, and the one
 * log line that belongs to it.
 */
export function assertTold(
  service: TestService,
  { status, body }: Answered<ErrorEnvelope>,
  told: {
    readonly code: ErrorCode;
    /** As the seeds have it. */
    readonly user_message: string;
    readonly developer_message: string;
    /** Where it is another than the table's. */
    readonly severity?: Severity;
  },
): void {
  const { code, user_message, developer_message } = told;
  const severity = told.severity ?? ERROR_TABLE[code].severity;
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
  // It has one line in the log.
  ensure(line !== undefined && more.length === 0);
  for (const field of LOG_TEMPLATE) expect(line).toHaveProperty([field]);
  expect(line['error_code']).toBe(code);
  expect(line['trace_id']).toBe(body.meta.trace_id);
  expect(line['severity']).toBe(severity);
  expect(line['level']).toBe(LEVELS[severity]);
}
