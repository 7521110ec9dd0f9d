import { couldNotCheck } from '../exit-code.js';

/** Returns a time in the form that the service takes. Seconds may be left out, and so may the time of the day. */
export function instantOf(text: string): string {
  const isWritten =
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i.test(
      text,
    );
  const time = isWritten
    ? new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
    : undefined;
  if (time === undefined || Number.isNaN(time.getTime()))
    throw couldNotCheck(`${JSON.stringify(text)} is not a time such as 2026-11-25T10:32Z.`);
  return time.toISOString();
}

/** Returns the last moment of a time that is a day, and any other time as `instantOf` does. */
export const lastInstantOf = (text: string): string =>
  instantOf(/^[\d-]{10}$/.test(text) ? `${text} 23:59:59.999` : text);
