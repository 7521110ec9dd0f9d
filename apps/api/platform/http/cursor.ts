import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';

/** Returns a place in a list as the text that a caller sends back. */
export const cursorOf = (place: Json): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** Returns the place in a cursor. @throws Refusal INVALID_INPUT if `isPlace` is false for it */
export function placeOf<Place extends Json>(
  cursor: string,
  isPlace: (value: Json) => value is Place,
): Place {
  const value = parsed(cursor);
  if (value === undefined || !isPlace(value)) throw notACursor();
  return value;
}

/** Returns the refusal of a cursor that no answer had. */
export const notACursor = (): Refusal =>
  new Refusal('INVALID_INPUT', {
    reason: 'cursor: is not the next_cursor of an answer',
  }).teaching({
    instead:
      'Leave cursor out for the first page. For the next page, send the next_cursor unchanged.',
  });

function parsed(cursor: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Json;
  } catch {
    return undefined;
  }
}

/** True for a list of texts that Postgres can carry. */
export const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) &&
  (value as readonly Json[]).every((text) => typeof text === 'string') &&
  uncarriable(value as Json) === undefined;
