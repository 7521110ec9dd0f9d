import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { sha256Hex } from '#domain/determinism/hash.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { Severity } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RequestContext, RequestIds } from '../http/request-context.js';
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

/** The fields of a failed request's log line, beside those of the failure itself. */
export interface FailedRequest {
  readonly context: RequestIds & Pick<RequestContext, 'startedAt' | 'actor'>;
  readonly method: string;
  readonly route: string;
  /** Further fields, never personal data. The fields that the Refusal itself logs replace them (SPEC F3). */
  readonly known?: Readonly<Record<string, unknown>>;
}

/** Returns the error below a failure of the service itself. A refusal by a rule has none. */
function causeOf(error: unknown, { status }: ErrorEnvelope): Error | undefined {
  const cause = error instanceof Refusal ? error.cause : error;
  return status >= 500 && cause instanceof Error ? cause : undefined;
}

/**
 * Writes one structured line for each failure, with the fields of the logging template in document 002 and
 * what its failure cases add (SPEC F3). @param refusal its facts without personal data
 */
export function logFailure(
  logger: Logger,
  { context, method, route, known }: FailedRequest,
  envelope: ErrorEnvelope,
  error: unknown,
  { facts, logged }: Pick<Refusal, 'facts' | 'logged'>,
): void {
  const cause = causeOf(error, envelope);
  logger[LEVELS[envelope.severity]]({
    ...facts,
    type: 'error',
    error_code: envelope.error_code,
    query_id: context.query_id,
    trace_id: context.trace_id,
    agent_id: facts['agent_id'] ?? null,
    time_ms: Math.round(performance.now() - context.startedAt),
    sem_snapshot_hash: null,
    qcp_summary: null,
    system_version: SYSTEM_VERSION,
    severity: envelope.severity,
    status: envelope.status,
    method,
    route,
    caller: context.actor === undefined ? null : subHash(context.actor.sub),
    ...known,
    ...logged,
    ...(cause === undefined ? {} : { stack: framesOf(cause) }),
  });
}
