import { MAX_DEPTH } from '../determinism/canonical-json.js';
import type { FieldHelp } from '../errors/help.js';
import { Refusal } from '../errors/refusal.js';
import type { Slices } from '../slices.js';
import { type Clear, highestCategory, type Verdict } from './finding.js';
import type { RuleSet } from './rule-set.js';
import { idScan } from './scan-id.js';

export type Id = string | null | undefined;

/** Ids by the fields that have them; the ids of one field may be several. */
export type Ids = Readonly<Record<string, Id | readonly Id[]>>;

/**
 * Checks, in slices, that the privacy gate finds nothing in the ids, because ids become stream names, which cannot be
 * erased (SPEC I4). Absent ids are skipped. @throws Refusal PRIVACY_BLOCKED with the field and the types found, never an id.
 */
export function* clearIdsScan(ids: Ids, rules: RuleSet): Slices<void> {
  for (const [field, ofField] of Object.entries(ids))
    for (const id of [ofField].flat()) {
      if (typeof id !== 'string') continue;
      requireClear(yield* idScan(id, rules), field);
      yield;
    }
}

/** Returns what clients may see of a verdict: the types found, each once and sorted, or `cannot_scan`. */
export const findingTypes = (verdict: Verdict): readonly string[] => {
  if (verdict.outcome === 'clear') return [];
  if (verdict.outcome === 'cannot_scan') return ['cannot_scan'];
  return [...new Set(verdict.findings.map(({ type }) => type))].sort();
};

/** Returns a field as an answer names it in which the gate has found something. */
export const flaggedField = (field: string, types: readonly string[]): FieldHelp => ({
  field,
  problem: `has personal data or a secret: ${types.join(', ')}`,
});

/** Returns the fields of an object in which the gate has found something. */
function flaggedFields(verdict: Verdict): readonly FieldHelp[] {
  if (verdict.outcome !== 'flagged') return [];
  const types = new Map<string, Set<string>>();
  for (const { path, type } of verdict.findings) {
    const field = String(path[0]);
    types.set(field, (types.get(field) ?? new Set<string>()).add(type));
  }
  return [...types].map(([field, found]) => flaggedField(field, [...found].sort()));
}

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
 * Checks that a verdict on a field has no findings (SPEC S7, P2, R1). @throws Refusal PRIVACY_BLOCKED with the
 * types found, never the data; INVALID_INPUT for a value that is nested too deep.
 */
export function requireClear(verdict: Verdict, field: string): asserts verdict is Clear {
  if (verdict.outcome === 'clear') return;
  const isFlagged = verdict.outcome === 'flagged';
  const refused = isFlagged
    ? flaggedField(field, findingTypes(verdict))
    : { field, problem: 'cannot be scanned for personal data' };
  throw privacyBlocked(verdict).teaching({ fields: [refused] });
}

/** Checks that a verdict on an object of fields has no findings. @throws Refusal as `requireClear` does */
export function requireClearFields(verdict: Verdict): asserts verdict is Clear {
  if (verdict.outcome === 'clear') return;
  const fields = flaggedFields(verdict);
  throw privacyBlocked(verdict).teaching(fields.length === 0 ? {} : { fields });
}
