import type { MemoryTrace, ToldElsewhere } from '../events.js';
import type { MemoryItem, Space } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import { canExpire, expiry, ruleFor, type ForgetReason } from './retention.js';
import type { StoreState } from '../state.js';
import type { StoreDecision } from '../store-decision.js';

const FORGETTING = ['semantic', 'profile'] as const;
/** One append has room for no more (SPEC J9): what is left over goes with the next request, and is not recalled. */
const MOST_FORGOTTEN = 200;

interface Expired {
  readonly item: MemoryItem;
  readonly reason: ForgetReason;
}

/** Every request looks at every item here: a plain loop, which allocates only for what has to go. */
function expired(
  { space, ledger }: StoreState,
  kind: (typeof FORGETTING)[number],
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

/** Whether anything of a store has to go at its present tick. */
export const hasExpired = (state: StoreState, policy: PolicySnapshot): boolean =>
  FORGETTING.some((kind) => expired(state, kind, policy, state.tick).length > 0);

/** An item is forgotten: of each kind all are told before any is deleted (SPEC M10). */
export function tellForgotten(
  decision: StoreDecision,
  { id, kind, meta }: MemoryItem,
  reason: ForgetReason,
): void {
  const { event_type, authority } = meta;
  decision.trace('memory_forget', { memory_id: id, reason, kind, event_type, authority });
}

/** Forgets and deletes what has expired at a tick: semantic items, then profile items (SPEC M10). */
export function forgetExpired(decision: StoreDecision, now: number): void {
  let room = MOST_FORGOTTEN;
  for (const kind of FORGETTING) {
    const gone = expired(decision.state, kind, decision.policy, now).slice(0, room);
    room -= gone.length;
    for (const { item, reason } of gone) tellForgotten(decision, item, reason);
    for (const { item } of gone) decision.delete(item.id, 'expired');
  }
}

/** What another store told when this request made it forget. */
export const toldBy = (space: Space, elsewhere: readonly ToldElsewhere[]): readonly MemoryTrace[] =>
  elsewhere.find((one) => one.space === space)?.told ?? [];

/** Retention after a write, space by space in read order (SPEC M10). */
export function forgetEverywhere(
  decision: StoreDecision,
  elsewhere: readonly ToldElsewhere[],
): void {
  for (const space of decision.policy.spaces.read_order) {
    if (space === decision.state.space) forgetExpired(decision, decision.state.tick);
    else decision.include(toldBy(space, elsewhere));
  }
}
