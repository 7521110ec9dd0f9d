import { finished, type Slices } from '../slices.js';
import { requireClear } from './require-clear.js';
import { idScan } from './scan-id.js';

type Id = string | null | undefined;

/**
 * Checks that the privacy gate finds nothing in the ids, because ids become stream names, which cannot
 * be erased (SPEC I4). Absent ids are skipped. @throws Refusal PRIVACY_BLOCKED with the types found,
 * never an id.
 */
export const requireClearIds = (...ids: readonly Id[]): void => finished(clearIdsScan(ids));

/** The same as `requireClearIds` in slices, for ids of which a request can have many. */
export function* clearIdsScan(ids: readonly Id[]): Slices<void> {
  for (const id of ids) {
    if (typeof id !== 'string') continue;
    requireClear(yield* idScan(id));
    yield;
  }
}
