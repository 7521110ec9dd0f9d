import type { Space } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import { PROMOTION_REASONS } from '../promotion/promotion.js';

export type BorderAction = 'read' | 'write' | 'promote' | 'phase_start' | 'phase_diff';

export const BORDER_REASONS = [
  ...PROMOTION_REASONS,
  'space_disabled',
  'write_space_disallowed',
  'phase_disabled',
  'phase_diff_disabled',
] as const;
/** Why the border of a space lets an item pass or not (SPEC M13). */
export type BorderReason = (typeof BORDER_REASONS)[number];

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
