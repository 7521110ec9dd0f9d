import type { MemoryTrace, ForeignTraces } from '../events.js';
import type { MemoryItem, Space } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import { canExpire, expiry, ruleFor, type ForgetReason } from './retention.js';
import type { StoreState } from '../state.js';
import type { StoreDecision } from '../store-decision.js';

/** The order in which a store forgets; short-term items only expire if a request's policy says so. */
const FORGETTABLE_KINDS = ['semantic', 'profile', 'short_term'] as const;
/**
 * The maximum number of items that fit in one append (SPEC J9). Recalls leave out further expired items,
 * and the next request deletes them.
 */
const MAX_FORGOTTEN = 200;

interface Expired {
  readonly item: MemoryItem;
  readonly reason: ForgetReason;
}

/**
 * Finds the expired items. A plain loop allocates only for expired items; this matters because every
 * request checks every item.
 */
function expired(
  { space, ledger }: StoreState,
  kind: (typeof FORGETTABLE_KINDS)[number],
  policy: PolicySnapshot,
  now: number,
): readonly Expired[] {
  const gone: Expired[] = [];
  if (!canExpire(space, kind, policy)) return gone;
  for (const stored of ledger.items[kind]) {
    const reason = expiry(stored.item, ruleFor(space, policy, stored), now);
    if (reason !== null) gone.push({ item: stored.item, reason });
  }
  return gone;
}

export const hasExpired = (state: StoreState, policy: PolicySnapshot): boolean =>
  FORGETTABLE_KINDS.some((kind) => expired(state, kind, policy, state.tick).length > 0);

/** Traces one forgotten item. Callers trace all items of a kind before they delete the first one (SPEC M10). */
export function traceForgotten(
  decision: StoreDecision,
  { id, kind, meta }: MemoryItem,
  reason: ForgetReason,
): void {
  const { event_type, authority } = meta;
  decision.trace('memory_forget', { memory_id: id, reason, kind, event_type, authority });
}

/**
 * Traces and deletes the items that have expired at a tick, kind by kind, first the semantic and
 * then the profile items (SPEC M10).
 */
export function forgetExpired(decision: StoreDecision, now: number): void {
  let remaining = MAX_FORGOTTEN;
  for (const kind of FORGETTABLE_KINDS) {
    const gone = expired(decision.state, kind, decision.policy, now).slice(0, remaining);
    remaining -= gone.length;
    for (const { item, reason } of gone) traceForgotten(decision, item, reason);
    for (const { item } of gone) decision.delete(item.id, 'expired');
  }
}

/** Returns the trace events of another store's retention during this request. */
export const tracesFrom = (
  space: Space,
  elsewhere: readonly ForeignTraces[],
): readonly MemoryTrace[] => elsewhere.find((entry) => entry.space === space)?.told ?? [];

/** Applies retention after a write, one space after the other in read order (SPEC M10). */
export function forgetInAllStores(
  decision: StoreDecision,
  elsewhere: readonly ForeignTraces[],
): void {
  for (const space of decision.policy.spaces.read_order) {
    if (space === decision.state.space) forgetExpired(decision, decision.state.tick);
    else decision.include(tracesFrom(space, elsewhere));
  }
}
