import { canonicalSize, uncarriable } from '#domain/determinism/canonical-json.js';
import type { Json, JsonObject } from '#domain/json.js';

/** The largest value of a WM entry, in bytes of canonical JSON (SPEC J2). */
const MAX_VALUE_BYTES = 16 * 1024;

/** A value that memory cannot take, and why. */
export interface NotTaken {
  readonly reason: string;
}

/** The WM values of a user's statement: itself. */
export const statementItems = (text: string): JsonObject[] | NotTaken =>
  carried('user statement', { user: text });

/** The WM values of one field of a tool result, each `{<field>: value}`; a large one is cut into its own fields. */
export const fieldItems = (field: string, value: Json): JsonObject[] | NotTaken =>
  carried('tool result', { [field]: value });

/** The top-level fields of a tool result; one that is no object is a field named like the tool. */
export const fieldsOf = (tool: string, result: Json): [string, Json][] =>
  typeof result === 'object' && result !== null && !Array.isArray(result)
    ? Object.entries<Json>(result)
    : [[tool, result]];

function carried(what: string, item: JsonObject): JsonObject[] | NotTaken {
  const problem = uncarriable(item);
  if (problem !== undefined) return { reason: `${what} that memory cannot carry` };
  return cut(item) ?? { reason: `${what} of more than 16 KB that has no fields to be cut into` };
}

/** The item, or its value's fields as items of their own; undefined when one of them cannot be made small. */
function cut(item: JsonObject): JsonObject[] | undefined {
  if (canonicalSize(item) <= MAX_VALUE_BYTES) return [item];
  const pieces: JsonObject[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [key, inner] of Object.entries<Json>(value)) {
      const smaller = cut({ [`${name}.${key}`]: inner });
      if (smaller === undefined) return undefined;
      pieces.push(...smaller);
    }
  }
  return pieces;
}
