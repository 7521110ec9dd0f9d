import type { RuleSet } from './rule-set.js';
import { scanId } from './scan-id.js';

/**
 * Returns an unknown field's name if an error text and a log line may show it: a plain word in which the privacy gate
 * finds nothing (SPEC P6). Undefined for any other name, such as the number of a card.
 */
export const shownName = (name: string, rules: RuleSet): string | undefined =>
  /^[A-Za-z0-9_-]{1,64}$/.test(name) && scanId(name, rules).outcome === 'clear' ? name : undefined;
