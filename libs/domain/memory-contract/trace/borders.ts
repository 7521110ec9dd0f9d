import type { Space } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import type { PromotionReason } from '../promotion/promotion.js';

export type BorderAction = 'read' | 'write' | 'promote' | 'phase_start' | 'phase_diff';
/** Why the border of a space lets an item pass or not (SPEC M13). */
export type BorderReason =
  | PromotionReason
  | 'space_disabled'
  | 'write_space_disallowed'
  | 'phase_disabled'
  | 'phase_diff_disabled';

export const readBorder = (space: Space, { spaces }: PolicySnapshot): BorderReason =>
  spaces.read_order.includes(space) ? 'allowed' : 'space_disabled';

export const writeBorder = (space: Space, { spaces }: PolicySnapshot): BorderReason =>
  spaces.write_spaces.includes(space) ? 'allowed' : 'write_space_disallowed';

export const phaseStartBorder = ({ phase }: PolicySnapshot): BorderReason =>
  phase.enabled ? 'allowed' : 'phase_disabled';

export function phaseDiffBorder(space: Space, policy: PolicySnapshot): BorderReason {
  if (!policy.phase.enabled) return 'phase_disabled';
  return policy.phase.diff_enabled ? readBorder(space, policy) : 'phase_diff_disabled';
}
