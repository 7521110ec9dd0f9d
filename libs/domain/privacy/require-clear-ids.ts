import type { Slices } from '../slices.js';
import { requireClear } from './require-clear.js';
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
