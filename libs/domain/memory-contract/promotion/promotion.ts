import { isAtLeast } from '../utterance/authority.js';
import type { MemoryItem, Space } from '../item.js';
import { UNKNOWN_PROJECT } from '../owners.js';
import type { PolicySnapshot } from '../policy.js';

/** The space to which an utterance asks to promote its items, and the words in it that ask for this. */
export type PromotionHint = {
  readonly promotion_target: Space;
  readonly promotion_reason: string;
};

/** The words are tried in this order, as plain substrings (SPEC M12). */
const HINTS: readonly (readonly [Space, string, string])[] = [
  ['user', 'remember this for me', 'hint:remember_for_me'],
  ['user', 'remember this about me', 'hint:remember_about_me'],
  ['user', 'save this for me', 'hint:save_for_me'],
  ['project', 'remember this for the project', 'hint:remember_for_project'],
  ['project', 'remember this for my project', 'hint:remember_for_project'],
  ['project', 'remember this for our project', 'hint:remember_for_project'],
  ['project', 'project memory', 'hint:project_memory'],
  ['system', 'remember this for everyone', 'hint:remember_for_everyone'],
  ['system', 'remember this for the system', 'hint:remember_for_system'],
  ['system', 'system memory', 'hint:system_memory'],
];

/** Returns the promotion that a text asks for, or null (SPEC M12). */
export function promotionHint(text: string): PromotionHint | null {
  const lowered = text.toLowerCase();
  const found = HINTS.find(([, words]) => lowered.includes(words));
  return found === undefined ? null : { promotion_target: found[0], promotion_reason: found[2] };
}

export const PROMOTION_REASONS = [
  'allowed',
  'promotion_disallowed',
  'promotion_event_type',
  'promotion_authority',
] as const;
export type PromotionReason = (typeof PROMOTION_REASONS)[number];

/**
 * Decides whether an item may go to another space: checks the promotion rule first, then the item's type, then its
 * authority (SPEC M12). Nothing is ever written to the store of an unknown project (SPEC M2).
 */
export function checkPromotion(
  { event_type, authority, space }: Pick<MemoryItem['meta'], 'event_type' | 'authority' | 'space'>,
  target: { readonly space: Space; readonly owner: string },
  policy: PolicySnapshot,
): PromotionReason {
  const rule = policy.spaces.promotions.find(
    ({ from_space, to_space }) => from_space === space && to_space === target.space,
  );
  const isUnknown = target.space === 'project' && target.owner === UNKNOWN_PROJECT;
  if (rule === undefined || isUnknown) return 'promotion_disallowed';
  if (!rule.allowed_event_types.includes(event_type)) return 'promotion_event_type';
  const byDecision = rule.decision_override && event_type === 'decision';
  const required = byDecision ? 'user_asserted' : rule.min_authority;
  return isAtLeast(authority, required, policy.authority_order) ? 'allowed' : 'promotion_authority';
}
