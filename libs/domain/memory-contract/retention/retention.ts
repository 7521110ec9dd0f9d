import type { MemoryItem, MemoryKind, Space } from '../item.js';
import type { StoredItem } from '../store/stored-list.js';
import type { PolicySnapshot, RetentionRule } from '../policy.js';

export const FORGET_REASONS = ['ttl_expired', 'decay'] as const;
export type ForgetReason = (typeof FORGET_REASONS)[number];

/** Returns the policy's retention rule for an item's kind and event type (SPEC M7). */
export const retentionFor = (
  { kind, meta }: Pick<MemoryItem, 'kind' | 'meta'>,
  policy: PolicySnapshot,
): RetentionRule => policy.retention[kind][meta.event_type];

/**
 * Returns the rule that applies to a stored item. In a session it is the rule of the reader's policy, in
 * other spaces the rule under which the item was stored (SPEC M10).
 */
export const ruleFor = (
  space: Space,
  policy: PolicySnapshot,
  { item, retention }: StoredItem,
): RetentionRule => (space === 'session' ? retentionFor(item, policy) : retention);

/** True if items of a kind can expire. In a session only the reader's policy decides (SPEC M10). */
export const canExpire = (space: Space, kind: MemoryKind, policy: PolicySnapshot): boolean =>
  space !== 'session' || Object.values(policy.retention[kind]).some(({ mode }) => mode !== 'never');

/** Returns why an item has expired at `now`, or null. A ttl ends one tick earlier than a decay (SPEC M10). */
export function expiry(
  { created_at }: MemoryItem,
  { mode, ttl_ticks }: RetentionRule,
  now: number,
): ForgetReason | null {
  if (ttl_ticks === null) return null;
  const age = now - created_at;
  if (mode === 'ttl') return age >= ttl_ticks ? 'ttl_expired' : null;
  return mode === 'decay' && age > ttl_ticks ? 'decay' : null;
}

/** Returns `expires_at`, the tick at which a ttl ends; empty for the other modes (SPEC M10). */
export const expiresAt = (
  { created_at }: MemoryItem,
  { mode, ttl_ticks }: RetentionRule,
): { readonly expires_at?: number } =>
  mode === 'ttl' && ttl_ticks !== null ? { expires_at: created_at + ttl_ticks } : {};
