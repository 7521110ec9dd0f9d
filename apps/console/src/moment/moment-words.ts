import { normalizeTimestamp, timeProblem } from '#domain/sem/timestamp.js';

const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const THIS_YEAR = new Intl.DateTimeFormat('en-GB', DAY);
const OTHER_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric' });

/** Returns a moment in words: `25 Nov 10:32:00 UTC`, with the year if it is another one. Anything else stays as it is. */
export function momentWords(at: string, now = new Date()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const isThisYear = time.getUTCFullYear() === now.getUTCFullYear();
  const clock = time.toISOString().slice(11, -1);
  return `${(isThisYear ? THIS_YEAR : OTHER_YEAR).format(time)} ${clock.replace('.000', '')} UTC`;
}

/** The date and the time in UTC, as the fields of a form take them: with milliseconds where they are not zero. */
export const fieldsOf = (time: Date): { readonly date: string; readonly clock: string } => {
  const text = time.toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, -1).replace('.000', '') };
};

/** Returns the time that a text says as events or pages have it, in UTC if it names no zone; undefined for another text. */
export function timeIn(text: string): Date | undefined {
  const time = text.trim().replace(' ', 'T').replace(' UTC', 'Z');
  const full = [time, `${time}Z`].find((form) => timeProblem(form) === undefined);
  return full === undefined ? undefined : new Date(normalizeTimestamp(full));
}
