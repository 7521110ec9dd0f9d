import { phaseDiffBorder } from './borders.js';
import type { DiffRequest } from './events.js';
import { storeKey, type StoreOwners } from './owners.js';
import { phaseDiff, type PhaseDiff } from './phase-diff.js';
import { ledgerOf, type StoreState } from './state.js';
import type { Unfolding } from './unfolding.js';

/** How one phase of a store differs from another (SPEC M15). */
export const diffOfPhases = (state: StoreState, from: string, to: string): PhaseDiff =>
  phaseDiff(ledgerOf(state, from), ledgerOf(state, to));

/** The diff that an interaction asks for, last of all (SPEC M13, M18). */
export function tellDiff(
  unfolding: Unfolding,
  { from, to, space, elsewhere }: DiffRequest,
  owners: StoreOwners,
): void {
  const border = phaseDiffBorder(space, unfolding.policy);
  if (!unfolding.checkBorder('phase_diff', border, { from_space: space })) return;
  const owner = owners[space];
  const isHere = storeKey(space, owner) === unfolding.state.key;
  const diff = isHere
    ? diffOfPhases(unfolding.state, from, to)
    : (elsewhere ?? phaseDiff(undefined, undefined));
  unfolding.tell('memory_phase_diff', {
    space,
    owner,
    from_phase_id: from,
    to_phase_id: to,
    ...diff,
  });
}
