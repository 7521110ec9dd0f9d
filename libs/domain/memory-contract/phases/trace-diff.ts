import { phaseDiffBorder } from '../trace/borders.js';
import type { DiffRequest } from '../events.js';
import { storeKey, type StoreOwners } from '../owners.js';
import { phaseDiff, type PhaseDiff } from './phase-diff.js';
import { ledgerOf, type StoreState } from '../state.js';
import type { StoreDecision } from '../store-decision.js';

/** Returns the differences between two phases of a store (SPEC M15). */
export const diffOfPhases = (state: StoreState, from: string, to: string): PhaseDiff =>
  phaseDiff(ledgerOf(state, from), ledgerOf(state, to));

/** Adds the diff that an interaction asks for to the trace, as the interaction's last decision (SPEC M13, M18). */
export function traceDiff(
  decision: StoreDecision,
  { from, to, space, elsewhere }: DiffRequest,
  owners: StoreOwners,
): void {
  const border = phaseDiffBorder(space, decision.policy);
  if (!decision.checkBorder('phase_diff', border, { from_space: space })) return;
  const owner = owners[space];
  const isHere = storeKey(space, owner) === decision.state.key;
  const diff = isHere
    ? diffOfPhases(decision.state, from, to)
    : (elsewhere ?? phaseDiff(undefined, undefined));
  decision.trace('memory_phase_diff', {
    space,
    owner,
    from_phase_id: from,
    to_phase_id: to,
    ...diff,
  });
}
