import type { EventType, MemoryKind } from '../item.js';
import { SENSITIVE_MARKERS, type PolicySnapshot, type WritePolicy } from '../policy.js';

export type PrivacyRefusal = 'privacy_deny_sensitive' | 'privacy_deny_pattern';

export const DENIAL_REASONS = [
  'privacy_deny_sensitive',
  'privacy_deny_pattern',
  'privacy_deny_profile_key',
  'write_policy_none',
  'write_policy_minimal',
  'write_policy_context',
  'policy_deny_event_type',
  'policy_deny_promotion',
] as const;
/** Why an item was not written (SPEC M8). */
export type DenialReason = (typeof DENIAL_REASONS)[number];

export type WriteVerdict =
  | { readonly allowed: true; readonly tags: readonly string[] }
  /** A refused write has only the tags of the checks before the refusal. */
  | { readonly allowed: false; readonly reason: DenialReason; readonly tags: readonly string[] };

export interface WriteAttempt {
  readonly kind: MemoryKind;
  readonly event_type: EventType;
  /** The verdict on the whole utterance; it also applies to the profile item that comes from the utterance. */
  readonly privacy: PrivacyRefusal | null;
  /** The fact's key; only for a profile item. */
  readonly fact_key?: string;
  /** True if the detector flagged the text. */
  readonly flagged: boolean;
}

export const MINIMAL_TYPES: readonly EventType[] = ['fact', 'preference', 'decision', 'correction'];

/** Returns why a text must not be stored because of its content, or null (SPEC M8). */
export function privacyRefusal(
  text: string,
  { deny_sensitive, deny_patterns }: PolicySnapshot['privacy'],
): PrivacyRefusal | null {
  const lowered = text.toLowerCase();
  const holds = (marker: string): boolean => lowered.includes(marker.toLowerCase());
  if (deny_sensitive && SENSITIVE_MARKERS.some(holds)) return 'privacy_deny_sensitive';
  return deny_patterns.some(holds) ? 'privacy_deny_pattern' : null;
}

function profileKeyRefusal({ kind, fact_key }: WriteAttempt, policy: PolicySnapshot) {
  const listed = fact_key !== undefined && policy.privacy.allow_profile_keys.includes(fact_key);
  return kind === 'profile' && !listed ? 'privacy_deny_profile_key' : null;
}

function writePolicyRefusal({ kind, event_type }: WriteAttempt, policy: WritePolicy) {
  if (kind === 'short_term') return null;
  if (policy === 'none') return 'write_policy_none';
  if (policy === 'minimal' && !MINIMAL_TYPES.includes(event_type)) return 'write_policy_minimal';
  const isContext = kind === 'semantic' && event_type === 'context';
  return policy === 'normal' && isContext ? 'write_policy_context' : null;
}

function eventTypeRefusal({ event_type }: WriteAttempt, policy: PolicySnapshot) {
  const { allow_event_types: allow, deny_event_types: deny } = policy;
  const refused = (allow.length > 0 && !allow.includes(event_type)) || deny.includes(event_type);
  return refused ? 'policy_deny_event_type' : null;
}

function promotionRefusal({ kind, event_type }: WriteAttempt, policy: PolicySnapshot) {
  const { allowed_event_types } = policy.promotion[kind];
  return allowed_event_types.includes(event_type) ? null : 'policy_deny_promotion';
}

/** Decides whether an item may be written. The first failed check is the reason of the refusal (SPEC M8). */
export function checkWrite(attempt: WriteAttempt, policy: PolicySnapshot): WriteVerdict {
  const listsTypes = policy.allow_event_types.length > 0 || policy.deny_event_types.length > 0;
  const checks: readonly (readonly [refusal: DenialReason | null, tag: string | null])[] = [
    [attempt.privacy, null],
    [profileKeyRefusal(attempt, policy), 'allowed_by:privacy'],
    [
      writePolicyRefusal(attempt, policy.write_policy),
      attempt.kind === 'short_term' ? null : `allowed_by:write_policy:${policy.write_policy}`,
    ],
    [eventTypeRefusal(attempt, policy), listsTypes ? 'allowed_by:policy_event_types' : null],
    [promotionRefusal(attempt, policy), 'allowed_by:promotion_rule'],
    [attempt.flagged ? 'privacy_deny_sensitive' : null, null],
  ];
  const tags: string[] = [];
  for (const [reason, tag] of checks) {
    if (reason !== null) return { allowed: false, reason, tags };
    if (tag !== null) tags.push(tag);
  }
  return { allowed: true, tags };
}
