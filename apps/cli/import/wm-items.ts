import { canonicalSize, uncarriable } from '#domain/determinism/canonical-json.js';
import { WM_VALUE } from '#domain/job/entry.js';
import type { Json, JsonObject } from '#domain/json.js';

/** A value that memory cannot hold, and why. */
export interface SkippedValue {
  readonly reason: string;
}

/** Returns the WM value of a user's statement, which is the statement itself. */
export const statementItems = (text: string): JsonObject[] | SkippedValue =>
  carried('user statement', { user: text });

/**
 * Returns the WM values of one field of a tool result, each as `{<field>: value}`. A large value is
 * split into its own fields.
 */
export const fieldItems = (field: string, value: Json): JsonObject[] | SkippedValue =>
  carried('tool result', { [field]: value });

/**
 * Returns the top-level fields of a tool result. A result that is not an object becomes one field with
 * the tool's name.
 */
export const fieldsOf = (tool: string, result: Json): [string, Json][] =>
  typeof result === 'object' && result !== null && !Array.isArray(result)
    ? Object.entries<Json>(result)
    : [[tool, result]];

function carried(what: string, item: JsonObject): JsonObject[] | SkippedValue {
  const problem = uncarriable(item);
  if (problem !== undefined) return { reason: `${what} that memory cannot carry` };
  return cut(item) ?? { reason: `${what} of more than 16 KB that has no fields to be cut into` };
}

/**
 * Returns the item if it is small enough, and otherwise one item for each field of its value; undefined
 * if one of these items is still too large.
 */
function cut(item: JsonObject): JsonObject[] | undefined {
  if (canonicalSize(item) <= WM_VALUE.bytes) return [item];
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
