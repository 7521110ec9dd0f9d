import type { SearchOperation } from '@langchain/langgraph-checkpoint';

type Compare = (field: unknown, operand: unknown) => boolean;

const isIn: Compare = (field, operand) => Array.isArray(operand) && operand.includes(field);

/** LangGraph's operators. */
const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (field, operand) => field === operand,
  $ne: (field, operand) => field !== operand,
  $gt: (field, operand) => Number(field) > Number(operand),
  $gte: (field, operand) => Number(field) >= Number(operand),
  $lt: (field, operand) => Number(field) < Number(operand),
  $lte: (field, operand) => Number(field) <= Number(operand),
  $in: isIn,
  $nin: (field, operand) => !isIn(field, operand),
};

/** Returns the conditions of an object whose keys are all operators; undefined for any other value. */
function conditionsOf(wanted: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof wanted !== 'object' || wanted === null) return undefined;
  const conditions = Object.entries(wanted);
  return conditions.every(([name]) => Object.hasOwn(OPERATORS, name)) ? conditions : undefined;
}

function meets(field: unknown, wanted: unknown): boolean {
  const conditions = conditionsOf(wanted);
  if (conditions === undefined) return field === wanted;
  return conditions.every(([name, operand]) => OPERATORS[name]?.(field, operand) === true);
}

/** True if a value has the fields of a filter, as LangGraph's own stores compare them. */
export const matches = (
  value: Readonly<Record<string, unknown>>,
  filter: SearchOperation['filter'] = {},
): boolean => Object.entries(filter).every(([field, wanted]) => meets(value[field], wanted));
