import { uncarriable } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import { heldContent, isSealed, type Held } from '../held.js';
import type { JsonObject } from '../json.js';
import { requireSize, type SizeLimit } from '../size-limit.js';
import type { FactPut } from './events.js';
import { normalizeTimestamp } from './timestamp.js';

const KIB = 1024;
export const MAX_VALUE_BYTES = 16 * KIB;
export const FACT_VALUE: SizeLimit = {
  bytes: MAX_VALUE_BYTES,
  reason: () => 'a value has at most 16 KB canonical',
};
export const FACT_ROW: SizeLimit = {
  bytes: KIB * KIB,
  reason: () => 'a row has at most 1 MB',
};
/** The most characters (Unicode code points) of a fact’s notes. */
export const MAX_NOTES = 512;
const MAX_AHEAD_MS = 5 * 60_000;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** Refuses a value that JCS or Postgres cannot represent (SPEC I5). */
export function requireCarriable(what: string, value: unknown): void {
  const reason = uncarriable(value);
  if (reason !== undefined) throw invalid(`${what}: ${reason}`);
}

/**
 * Refuses a value of more than 16 KB of canonical JSON. For a sealed value, its sealed form counts. The
 * limit also excludes strings of more than 16k characters (SPEC S2, P5).
 */
export function requireFactValue(held: Held): void {
  if (!isSealed(held)) requireCarriable('value', held.value);
  requireSize(heldContent(held), FACT_VALUE);
}

/** Checks notes, meta and the size of the whole row (SPEC S2). */
export function requireRow(fact: FactPut): void {
  requireCarriable('notes', fact.notes);
  requireCarriable('meta', fact.meta);
  if ([...(fact.notes ?? '')].length > MAX_NOTES)
    throw invalid(`notes: have at most ${MAX_NOTES} characters`);
  requireSize(fact satisfies JsonObject, FACT_ROW);
}

/**
 * Returns a fact's timestamp: the timestamp that was sent or, if it is missing, `now`. Refuses a
 * timestamp that is more than 5 minutes ahead of the server's `now` (SPEC S2).
 */
export function factTimestamp(sent: string | undefined, now: string): string {
  if (sent === undefined) return normalizeTimestamp(now);
  const timestamp = normalizeTimestamp(sent);
  if (Date.parse(timestamp) - Date.parse(now) > MAX_AHEAD_MS)
    throw invalid('timestamp: is at most 5 minutes ahead');
  return timestamp;
}
