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

/** The date and the time in UTC, as the fields of a form take them. */
export const fieldsOf = (time: Date): { readonly date: string; readonly clock: string } => {
  const text = time.toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, 19) };
};
