import type { Json } from '#domain/json.js';

/**
 * Returns the strings and numbers in a JSON value as texts, in document order. It is iterative, so deep
 * nesting cannot overflow the stack.
 */
export function leavesOf(root: Json): string[] {
  const leaves: string[] = [];
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') leaves.push(value);
    else if (typeof value === 'number') leaves.push(String(value));
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values<Json>(value).reverse()) pending.push(inner);
    }
  }
  return leaves;
}
