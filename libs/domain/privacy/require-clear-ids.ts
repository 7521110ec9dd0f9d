import { requireClear } from './require-clear.js';
import { scanId } from './scan-id.js';

/**
 * Checks that the privacy gate finds nothing in the ids, because ids become stream names, which cannot
 * be erased (SPEC I4). Absent ids are skipped. @throws Refusal PRIVACY_BLOCKED with the types found,
 * never an id.
 */
export function requireClearIds(...ids: readonly (string | null | undefined)[]): void {
  for (const id of ids) if (typeof id === 'string') requireClear(scanId(id));
}
