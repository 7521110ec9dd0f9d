import { redact } from './redact.js';
import type { RuleSet } from './rule-set.js';
import { scanText } from './scan-text.js';

/** Redacts what the privacy gate finds in a name, key or id, for use in an error text (SPEC P6). */
export function clearText(text: string, rules: RuleSet): string {
  const verdict = scanText(text, rules);
  if (verdict.outcome === 'clear') return text;
  return verdict.outcome === 'flagged' ? redact(text, verdict.findings) : '[REDACTED]';
}
