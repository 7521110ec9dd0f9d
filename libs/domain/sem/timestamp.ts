import { Refusal } from '../errors/refusal.js';

const UTC = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]00:00)$/;

/**
 * Returns an ISO 8601 UTC time in its stored form YYYY-MM-DDTHH:mm:ss.sssZ; finer digits are cut off
 * (SPEC S2). @throws Refusal INVALID_INPUT if the text is not such a time, or its day does not exist.
 */
export function normalizeTimestamp(text: string): string {
  const day = UTC.exec(text)?.[1];
  const time = day === undefined ? NaN : Date.parse(text);
  const stored = Number.isNaN(time) ? '' : new Date(time).toISOString();
  if (day === undefined || !stored.startsWith(day))
    throw new Refusal('INVALID_INPUT', {
      reason: 'a timestamp is ISO 8601 UTC, such as 2025-11-29T12:00:00Z',
    });
  return stored;
}
