import type { MemoryItem, MemoryKind, Space } from '../item.js';
import type { StoredItem } from '../store/ledger.js';
import type { PolicySnapshot, RetentionRule } from '../policy.js';

export type ForgetReason = 'ttl_expired' | 'decay';

/** The rule that a policy has for items like this one (SPEC M7). */
export const retentionFor = (
  { kind, meta }: Pick<MemoryItem, 'kind' | 'meta'>,
  policy: PolicySnapshot,
): RetentionRule => policy.retention[kind][meta.event_type];

/** In a session the reader's policy decides, elsewhere the rule that the item was stored under (SPEC M10). */
export const ruleFor = (
  space: Space,
  policy: PolicySnapshot,
  { item, retention }: StoredItem,
): RetentionRule => (space === 'session' ? retentionFor(item, policy) : retention);

/** Whether age can end anything of a kind: a session's items go by the reader's policy alone (SPEC M10). */
export const canExpire = (space: Space, kind: MemoryKind, policy: PolicySnapshot): boolean =>
  space !== 'session' || Object.values(policy.retention[kind]).some(({ mode }) => mode !== 'never');

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
