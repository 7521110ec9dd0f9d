import type { Json } from '#domain/json.js';
import { redactJson } from '#domain/privacy/redact.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { redactedText, withheldOf } from '#domain/privacy/withheld.js';

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

/**
 * Returns the leaves without personal data. The name of a field shows that a date is a date of birth, and
 * a leaf has lost it. So the value is redacted as a whole first.
 */
export function clearLeavesOf(value: Json, rules: RuleSet): string[] {
  const verdict = scanJson(value, rules);
  if (verdict.outcome === 'clear') return leavesOf(value);
  if (verdict.outcome === 'cannot_scan') return [];
  const redacted = redactJson(value, verdict.findings, () => NO_HASH);
  return leavesOf(JSON.parse(JSON.stringify(redacted), asText) as Json);
}

/** The leaves keep no hash, so none is computed. */
const NO_HASH = '0'.repeat(64);

/** Replaces the object in place of a redacted value by a text. */
function asText(_key: string, value: Json): Json {
  const withheld = withheldOf(value);
  return withheld?.state === 'redacted' ? redactedText(withheld.types.join()) : value;
}
