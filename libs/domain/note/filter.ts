import { canonicalJson, uncarriable } from '../determinism/canonical-json.js';
import { byteOrder } from '../determinism/ids.js';
import { type Held, isSealed } from '../held.js';
import { pointerParts, valueAt } from '../json-pointer.js';
import type { Json, JsonObject } from '../json.js';
import { invalid } from './limits.js';

const MAX_CONDITIONS = 100;

/** The conditions that one field must meet, all of them. */
export type FieldConditions = Readonly<Record<string, Json>>;

type Condition = (field: Json | undefined) => boolean;

/** Compares two numbers, or two strings by their UTF-8 bytes; undefined if the values have no order. */
function compared(left: Json | undefined, right: Json): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return byteOrder(left, right);
  return undefined;
}

const inOrder =
  (holds: (order: number) => boolean) =>
  (operand: Json): Condition => {
    if (typeof operand !== 'number' && typeof operand !== 'string')
      throw invalid('filter: gt, gte, lt and lte compare with a number or a string');
    return (field) => {
      const order = compared(field, operand);
      return order !== undefined && holds(order);
    };
  };

const equals = (operand: Json): Condition => {
  const text = canonicalJson(operand);
  return (field) => field !== undefined && canonicalJson(field) === text;
};

const OPERATORS: Readonly<Record<string, (operand: Json) => Condition>> = {
  eq: equals,
  ne: (operand) => {
    const isEqual = equals(operand);
    return (field) => !isEqual(field);
  },
  gt: inOrder((order) => order > 0),
  gte: inOrder((order) => order >= 0),
  lt: inOrder((order) => order < 0),
  lte: inOrder((order) => order <= 0),
};

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function conditionsOf(pointer: string, conditions: Json) {
  const path = pointerParts(pointer);
  if (path === undefined) throw invalid('filter: a field is named by a JSON Pointer, such as /a/b');
  if (!isObject(conditions))
    throw invalid('filter: each field has an object of conditions, such as {"eq": 1}');
  return Object.entries(conditions).map(([name, operand]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined)
      throw invalid(`filter: a condition is one of ${Object.keys(OPERATORS).join(', ')}`);
    return { path, holds: operator(operand) };
  });
}

/**
 * Compiles a filter to a function over values. A field that does not exist meets no condition but `ne`, and a sealed
 * value has no fields (SPEC P5). @throws Refusal INVALID_INPUT for anything that is not a filter
 */
export function filterOf(filter: JsonObject): (held: Held) => boolean {
  const reason = uncarriable(filter);
  if (reason !== undefined) throw invalid(`filter: ${reason}`);
  const conditions = Object.entries(filter).flatMap(([pointer, given]) =>
    conditionsOf(pointer, given),
  );
  if (conditions.length > MAX_CONDITIONS)
    throw invalid(`filter: has at most ${MAX_CONDITIONS} conditions`);
  return (held) =>
    conditions.every(({ path, holds }) =>
      holds(isSealed(held) ? undefined : valueAt(held.value, path)),
    );
}
