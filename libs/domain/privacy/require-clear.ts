import { MAX_DEPTH } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import type { Slices } from '../slices.js';
import { type Clear, highestCategory, type Verdict } from './finding.js';
import type { RuleSet } from './rule-set.js';
import { idScan } from './scan-id.js';

export type Id = string | null | undefined;

/**
 * Checks, in slices, that the privacy gate finds nothing in the ids, because ids become stream names, which cannot be
 * erased (SPEC I4). Absent ids are skipped. @throws Refusal PRIVACY_BLOCKED with the types found, never an id.
 */
export function* clearIdsScan(ids: readonly Id[], rules: RuleSet): Slices<void> {
  for (const id of ids) {
    if (typeof id !== 'string') continue;
    requireClear(yield* idScan(id, rules));
    yield;
  }
}

/** Returns what clients may see of a verdict: the types found, each once and sorted, or `cannot_scan`. */
export const findingTypes = (verdict: Verdict): readonly string[] => {
  if (verdict.outcome === 'clear') return [];
  if (verdict.outcome === 'cannot_scan') return ['cannot_scan'];
  return [...new Set(verdict.findings.map(({ type }) => type))].sort();
};

/** True if a value could not be scanned because it is nested too deep. */
export const isTooDeep = (verdict: Verdict): boolean =>
  verdict.outcome === 'cannot_scan' && verdict.reason === 'too_deep';

/** Returns the refusal of a value that is nested too deep to be scanned: its shape is wrong, whatever it holds. */
export const tooDeep = (field = 'the value'): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${field}: nested deeper than ${MAX_DEPTH}` });

/**
 * Returns the refusal for a verdict with findings; its log line has their types and categories (SPEC F3). For a value
 * that is nested too deep, it is INVALID_INPUT.
 */
export function privacyBlocked(verdict: Exclude<Verdict, Clear>): Refusal {
  if (isTooDeep(verdict)) return tooDeep();
  const { rule_set_version } = verdict;
  const logged = { findings: findingKinds(verdict), rule_set_version };
  const finding_types = findingTypes(verdict).join(', ');
  return new Refusal('PRIVACY_BLOCKED', { finding_types }, undefined, logged);
}

/** Returns each type found with its category, once and sorted; for a value that cannot be scanned, why. */
function findingKinds(verdict: Exclude<Verdict, Clear>) {
  if (verdict.outcome === 'cannot_scan')
    return [{ type: 'cannot_scan', category: null, reason: verdict.reason }];
  const { findings } = verdict;
  return findingTypes(verdict).map((type) => ({
    type,
    category: highestCategory(findings.filter((finding) => finding.type === type)),
  }));
}

/**
 * Checks that a verdict has no findings (SPEC S7, P2, R1). @throws Refusal PRIVACY_BLOCKED with the
 * types found, never the data; INVALID_INPUT for a value that is nested too deep.
 */
export function requireClear(verdict: Verdict): asserts verdict is Clear {
  if (verdict.outcome !== 'clear') throw privacyBlocked(verdict);
}
