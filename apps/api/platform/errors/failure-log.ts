import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sha256Hex } from '#domain/determinism/hash.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { Severity } from '#domain/errors/error-table.js';
import type { Refusal } from '#domain/errors/refusal.js';
import type { RequestContext } from '../http/request-context.js';
import { SYSTEM_VERSION } from '../version.js';

/** The log level for each severity. */
export const LEVELS: Readonly<Record<Severity, 'info' | 'warn' | 'error' | 'fatal'>> = {
  info: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'fatal',
};

/**
 * Returns a short hash that names a caller without its raw id; its audit stream's name contains it (SPEC I1).
 */
export const subHash = (sub: string): string => sha256Hex(sub).slice(0, 16);

/** Returns a route's pattern, so that no id from a path reaches a log or a metric. */
export const routeOf = (request: FastifyRequest): string =>
  request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');

/** Returns the stack frames without the message, which may contain a value (SPEC P6). */
export const framesOf = (error: Error): string =>
  [
    error.name,
    ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')),
  ].join('\n');

/** The fields of a failed request that its log line shows. */
export interface FailedRequest {
  readonly context: Pick<RequestContext, 'query_id' | 'trace_id' | 'startedAt' | 'actor'>;
  readonly method: string;
  readonly route: string;
}

/**
 * Writes one structured line for each failure, with the fields of the logging template in document 002
 * (SPEC F3).
 */
export function logFailure(
  logger: Logger,
  { context, method, route }: FailedRequest,
  envelope: ErrorEnvelope,
  error: unknown,
  { facts, logged }: Pick<Refusal, 'facts' | 'logged'>,
): void {
  logger[LEVELS[envelope.severity]]({
    type: 'error',
    error_code: envelope.error_code,
    query_id: context.query_id,
    trace_id: context.trace_id,
    agent_id: facts['agent_id'] ?? null,
    time_ms: Math.round(performance.now() - context.startedAt),
    sem_snapshot_hash: null,
    system_version: SYSTEM_VERSION,
    severity: envelope.severity,
    status: envelope.status,
    method,
    route,
    caller: context.actor === undefined ? null : subHash(context.actor.sub),
    ...logged,
    ...(envelope.error_code === 'INTERNAL' && error instanceof Error
      ? { stack: framesOf(error) }
      : {}),
  });
}
