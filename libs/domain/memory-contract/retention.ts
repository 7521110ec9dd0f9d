import type { MemoryItem, MemoryKind } from './item.js';
import type { PolicySnapshot, RetentionRule } from './policy.js';

export type ForgetReason = 'ttl_expired' | 'decay';

/** The rule that a policy has for items like this one (SPEC M7). */
export const retentionFor = (
  { kind, meta }: Pick<MemoryItem, 'kind' | 'meta'>,
  policy: PolicySnapshot,
): RetentionRule => policy.retention[kind][meta.event_type];

/** Whether a policy ever forgets items of this kind and type by age (SPEC M16). */
export const isRetained = (kind: MemoryKind, item: MemoryItem, policy: PolicySnapshot): boolean =>
  policy.retention[kind][item.meta.event_type].mode !== 'never';

/** Why an item is gone at this tick, or null: a ttl ends one tick earlier than a decay (SPEC M10). */
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

/** What a stored item says about its own end: under a ttl, the tick of it (SPEC M10). */
export const expiresAt = (
  { created_at }: MemoryItem,
  { mode, ttl_ticks }: RetentionRule,
): { readonly expires_at?: number } =>
  mode === 'ttl' && ttl_ticks !== null ? { expires_at: created_at + ttl_ticks } : {};
