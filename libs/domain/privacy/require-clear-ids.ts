import { requireClear } from './require-clear.js';
import { scanId } from './scan-id.js';

/**
 * Lets only ids through that the gate finds clear: they become names of streams, which nobody can erase
 * (SPEC I4). Absent ones are passed over.
 * @throws Refusal PRIVACY_BLOCKED with the types found, never an id.
 */
export function requireClearIds(...ids: readonly (string | null | undefined)[]): void {
  for (const id of ids) if (typeof id === 'string') requireClear(scanId(id));
}
