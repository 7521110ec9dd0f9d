import { Refusal } from '../errors/refusal.js';

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The length of a stored time; the years before 0000 and after 9999 have longer ones. */
const STORED_LENGTH = '2025-11-29T12:00:00.000Z'.length;
const MINUTE_MS = 60_000;

/** What is wrong with a text that is not a time, as the rest of a sentence that begins with its field. */
export const TIME_PROBLEMS = {
  form: 'must be an RFC 3339 time, such as 2025-11-29T12:00:00Z or 2025-11-29T14:00:00+02:00',
  leap_second: 'must not be a leap second; send the second before or after it',
} as const;

type Read =
  | { readonly stored: string }
  | { readonly stored?: never; readonly problem: keyof typeof TIME_PROBLEMS };

function readTime(text: string): Read {
  const parts = RFC_3339.exec(text);
  if (parts === null) return { problem: 'form' };
  const [, day = '', minute = '', second = '', fraction = '', sign, hours, minutes] = parts;
  if (second === '60') return { problem: 'leap_second' };
  const local = Date.parse(`${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse reads the 31st of a shorter month as the first day of the next month.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(day))
    return { problem: 'form' };
  const ahead = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  const stored = new Date(sign === '-' ? local + ahead : local - ahead).toISOString();
  return stored.length === STORED_LENGTH ? { stored } : { problem: 'form' };
}

/** Returns what is wrong with a text as a time; undefined if it is one. */
export function timeProblem(text: string): keyof typeof TIME_PROBLEMS | undefined {
  const read = readTime(text);
  return read.stored === undefined ? read.problem : undefined;
}

/**
 * Returns an RFC 3339 time in its stored form YYYY-MM-DDTHH:mm:ss.sssZ, in UTC; finer digits are cut off (SPEC S2).
 * @throws Refusal INVALID_INPUT if the text is not such a time, its day does not exist, or it is a leap second.
 */
export function normalizeTimestamp(text: string, field = 'a time'): string {
  const read = readTime(text);
  if (read.stored === undefined)
    throw new Refusal('INVALID_INPUT', { reason: `${field} ${TIME_PROBLEMS[read.problem]}` });
  return read.stored;
}
