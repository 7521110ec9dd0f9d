import { isPosition } from '#domain/position.js';
import { couldNotCheck } from '../exit-code.js';

/**
 * Returns a moment in the form that the service takes: the position of an event as it is, and a time, of which seconds may
 * be left out, and so may the time of the day.
 */
export function momentOf(text: string): string {
  if (isPosition(text)) return text;
  const isWritten =
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i.test(
      text,
    );
  const time = isWritten
    ? new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
    : undefined;
  if (time === undefined || Number.isNaN(time.getTime()))
    throw couldNotCheck(
      `${JSON.stringify(text)} is neither a time such as 2026-11-25T10:32Z nor the position of an event.`,
    );
  return time.toISOString();
}
