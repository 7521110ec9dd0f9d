import { HttpException } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import { EventStoreUnavailable } from '#event-store/event-store.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { KeysUnavailable } from '#subject-keys/subject-keys.js';
import { unknownPath } from '../http/paths.js';
import { SEND_JSON } from '../http/strict-json.js';

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** The reason of a refusal of a request whose bytes come too slowly. */
export const LATE = 'the request did not arrive in time';

const REASON_BY_STATUS: Readonly<Record<number, string>> = {
  408: LATE,
  413: 'the body is larger than 1 MB',
  414: 'the path is too long',
  431: 'the headers are too large',
};

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  const status =
    error instanceof Error ? (error as { statusCode?: unknown }).statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
};

/** The properties of a failed request that decide its refusal. */
export interface RequestKind {
  readonly isWrite: boolean;
  readonly route: string;
}

/**
 * Returns the refusal for a request that failed because the log cannot be reached. A write that could
 * not read its stream counts as a failed write (SPEC F1).
 */
function unreachableLog(request: RequestKind): Refusal {
  if (request.isWrite) return failedWrite(request, 'the log');
  return new Refusal('READ_UNAVAILABLE', { reason: 'the event store does not answer' });
}

/**
 * Returns the refusal for a request that failed because the keys of subjects cannot be reached (SPEC P5).
 */
function unreachableKeys(request: RequestKind): Refusal {
  if (request.isWrite) return failedWrite(request, 'the keys of subjects');
  return new Refusal('READ_UNAVAILABLE', { reason: 'the keys of subjects cannot be reached' });
}

const failedWrite = ({ route }: RequestKind, stream: string): Refusal =>
  new Refusal(route.startsWith('/v1/sem') ? 'SEM_WRITE_FAIL' : 'MEMORY_WRITE_FAIL', { stream });

/**
 * Maps any thrown error to a Refusal. A 4xx status that the framework set before the handler ran becomes
 * INVALID_INPUT, or NOT_FOUND for an unknown route (SPEC F4, T28); an unexpected error becomes INTERNAL.
 */
export function refusalOf(error: unknown, request: RequestKind): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof EventStoreUnavailable) return unreachableLog(request);
  if (error instanceof KeysUnavailable) return unreachableKeys(request);
  if (error instanceof PostgresUnavailable)
    return new Refusal('READ_UNAVAILABLE', { reason: 'Postgres does not answer' });
  // Only a stop of the service aborts the work of a request.
  if ((error as Partial<Error> | undefined)?.name === 'AbortError')
    return new Refusal('READ_UNAVAILABLE', { reason: 'the service is stopping' });
  const status = statusOf(error);
  if (status === 404) return unknownPath();
  if (status === 415)
    return invalid('the body must be application/json').teaching({ instead: SEND_JSON });
  if (status !== undefined && status >= 400 && status < 500)
    return invalid(REASON_BY_STATUS[status] ?? 'the request cannot be read');
  return new Refusal('INTERNAL');
}
