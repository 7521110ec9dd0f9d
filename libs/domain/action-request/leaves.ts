import type { Json } from '../json.js';

/** A text, a number, a truth value or null. */
export type Scalar = string | number | boolean | null;

/** A text, a number, a truth value or null in a value. */
export interface Leaf {
  /** The name of the field that has it; empty without one. */
  readonly field: string;
  readonly value: Scalar;
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

export const isScalar = (value: Json): value is Scalar =>
  value === null || typeof value !== 'object';

/** A part of a value that stands in a field or in a list. */
interface Part {
  readonly field: string;
  /** True if it is a field of an object, and no item of a list. */
  readonly isField: boolean;
  readonly value: Json;
}

const partsIn = (value: Json, field: string): readonly Part[] => {
  if (isScalar(value)) return [];
  return isList(value)
    ? value.map((item) => ({ field, isField: false, value: item }))
    : Object.entries(value).map(([name, item]) => ({ field: name, isField: true, value: item }));
};

/**
 * Yields a value and all its parts, at any depth, in their order. An item of a list has the field of the list. It makes
 * no nested calls, so the depth of the value has no limit.
 */
export function* partsOf(value: Json, field = ''): Generator<Part> {
  const waiting: Part[] = [{ field, isField: false, value }];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    yield part;
    const inner = partsIn(part.value, part.field);
    for (let at = inner.length - 1; at >= 0; at -= 1) waiting.push(inner[at]!);
  }
}

/** Yields the leaves of a value. An item of a list has the field of the list. */
export function* leavesOf(value: Json, field = ''): Generator<Leaf> {
  for (const part of partsOf(value, field))
    if (isScalar(part.value)) yield { field: part.field, value: part.value };
}

/** Yields the texts of a value and the names of its fields, in their order. */
export function* textsOf(value: Json): Generator<string> {
  for (const part of partsOf(value)) {
    if (part.isField) yield part.field;
    if (typeof part.value === 'string') yield part.value;
  }
}
