import { Refusal } from '../errors/refusal.js';
import type { Clear, Verdict } from './finding.js';

/**
 * Returns what clients may see of a verdict: the types found, each once and sorted, or `cannot_scan`.
 */
export const findingTypes = (verdict: Verdict): readonly string[] => {
  if (verdict.outcome === 'clear') return [];
  if (verdict.outcome === 'cannot_scan') return ['cannot_scan'];
  return [...new Set(verdict.findings.map(({ type }) => type))].sort();
};

/**
 * Checks that a verdict has no findings (SPEC S7, P2, R1). @throws Refusal PRIVACY_BLOCKED with the
 * types found, never the data.
 */
export function requireClear(verdict: Verdict): asserts verdict is Clear {
  if (verdict.outcome === 'clear') return;
  throw new Refusal('PRIVACY_BLOCKED', { finding_types: findingTypes(verdict).join(', ') });
}
