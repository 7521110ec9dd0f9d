import type { Json, JsonObject } from '../json.js';

/** A text, a number, a truth value or null in a value. */
export interface Leaf {
  /** The name of the field that has it; empty without one. */
  readonly field: string;
  readonly value: string | number | boolean | null;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Yields the leaves of a value. An item of a list has the field of the list. */
export function* leavesOf(value: Json, field = ''): Generator<Leaf> {
  if (value === null || typeof value !== 'object') yield { field, value };
  else if (isList(value)) for (const item of value) yield* leavesOf(item, field);
  else for (const [name, item] of Object.entries(value)) yield* leavesOf(item, name);
}

/** Yields the texts of a value and the names of its fields. */
export function* textsOf(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  if (value === null || typeof value !== 'object') return;
  if (!isList(value)) yield* Object.keys(value);
  for (const item of Object.values<Json>(value as JsonObject)) yield* textsOf(item);
}
