import type pg from 'pg';

/**
 * Thrown if Postgres cannot be reached or cannot answer now. A query then fails with READ_UNAVAILABLE,
 * and projections pause.
 */
export class PostgresUnavailable extends Error {
  override readonly name = 'PostgresUnavailable';
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);

// The classes of SQLSTATE that are temporary: connection errors, missing resources, lost races, shutdowns.
const TEMPORARY_CLASSES = ['08', '40', '53', '55', '57', '58'];

// Errors that pg reports without a code.
const TEMPORARY_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying|Query read timeout|Cannot use a pool after|Client was closed|Connection ended)/;

/**
 * The SQLSTATEs of a missing table, column or schema. They mean that the read model of this version is
 * still being built.
 */
const BEING_BUILT: ReadonlySet<string> = new Set(['42P01', '42703', '3F000']);

export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : undefined;

/**
 * True if the connection had prepared the statement for tables that have other columns now, because a rebuild
 * has replaced them.
 */
export const hasOutdatedPlan = (cause: unknown): cause is Error =>
  codeOf(cause) === '0A000' && (cause as pg.DatabaseError).routine === 'RevalidateCachedQuery';

/** True if a failure is temporary, so that the same statement may succeed later. */
export function isPassing(cause: unknown): boolean {
  if (cause instanceof PostgresUnavailable || hasOutdatedPlan(cause)) return true;
  const code = codeOf(cause);
  if (code === undefined) return cause instanceof Error && TEMPORARY_MESSAGES.test(cause.message);
  return (
    NETWORK_CODES.has(code) || (code.length === 5 && TEMPORARY_CLASSES.includes(code.slice(0, 2)))
  );
}

/** True if the user of the connection has no right to do this. */
export const isForbidden = (cause: unknown): boolean => codeOf(cause) === '42501';

export const isDiskFull = (cause: unknown): boolean =>
  codeOf(cause) === '53100' || (cause instanceof PostgresUnavailable && isDiskFull(cause.cause));

export const isBeingBuilt = (cause: unknown): boolean =>
  BEING_BUILT.has(codeOf(cause) ?? '') ||
  (cause instanceof PostgresUnavailable && isBeingBuilt(cause.cause));
