import type { Json, JsonObject } from '#client/index.js';

/** Matches the text that replaces the sealed name of a note. */
const WITHHELD = /^\[REDACTED:[a-z_,]+\]$/;

/** True if something in the value was sealed, and is shown as `{redacted: true, …}` in its place. */
export function hasRedactions(value: Json | undefined): boolean {
  if (typeof value === 'string') return WITHHELD.test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && (value as JsonObject)['redacted'] === true) return true;
  return Object.values(value).some((part: Json | undefined) => hasRedactions(part));
}
