import { isPosition } from '#domain/position.js';
import { couldNotCheck } from '../exit-code.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i;

/** Returns a time in the form that the service takes; undefined for a text that is not one. */
function timeIn(text: string): string | undefined {
  if (!TIME.test(text)) return undefined;
  const time = new Date(DAY.test(text) ? `${text}T00:00` : text.replace(' ', 'T'));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns a time in the form that the service takes. Seconds may be left out, and so may the time of the day. */
export function instantOf(text: string): string {
  const time = timeIn(text);
  if (time !== undefined) return time;
  throw couldNotCheck(`${JSON.stringify(text)} is not a time such as 2026-11-25T10:32Z.`);
}

/** Returns the last moment of a time that is a day, and any other time as `instantOf` does. */
export const lastInstantOf = (text: string): string =>
  instantOf(DAY.test(text) ? `${text} 23:59:59.999` : text);

/** Returns a moment in the form that the service takes: a time, or the position of an event as it is. */
export function momentOf(text: string): string {
  const moment = isPosition(text) ? text : timeIn(text);
  if (moment !== undefined) return moment;
  throw couldNotCheck(
    `${JSON.stringify(text)} is neither a time such as 2026-11-25T10:32Z nor the position of an event.`,
  );
}
