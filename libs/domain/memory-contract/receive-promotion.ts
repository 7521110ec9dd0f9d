import type { ReceivePromotion } from './commands.js';
import type { MemoryEvent, MemoryTrace, ReceivedItem } from './events.js';
import type { MemoryItem } from './item.js';
import { phaseForWrite, phaseMeta } from './phases.js';
import { expiresAt, retentionFor } from './retention.js';
import type { Phase, StoreState } from './state.js';
import { storeItem } from './store-item.js';
import { resolvePolicy, Unfolding } from './unfolding.js';

/** What a promotion comes to in the store that it leads to. */
export interface UnfoldedPromotion {
  readonly events: readonly MemoryEvent[];
  /** For `finishInteraction`, in the order of the promoted items. */
  readonly received: readonly ReceivedItem[];
}

/** The new item in the target: its own id, tick, phase and end, the rest from the source (SPEC M12). */
function copyOf(
  unfolding: Unfolding,
  source: MemoryItem,
  reason: string,
  phase: Phase,
): MemoryItem {
  const { space, owner } = unfolding.state;
  const { expires_at: _, phase_name: __, ...meta } = source.meta;
  const copy: MemoryItem = {
    ...source,
    ...unfolding.next(source.kind),
    meta: {
      ...meta,
      space,
      owner,
      ...phaseMeta(phase),
      promoted_from: source.id,
      promotion_reason: reason,
    },
  };
  const end = expiresAt(copy, retentionFor(copy, unfolding.policy));
  return { ...copy, meta: { ...copy.meta, ...end } };
}

function receive(
  unfolding: Unfolding,
  source: MemoryItem,
  { promotion_id, reason }: ReceivePromotion,
): ReceivedItem {
  const before: number = unfolding.traceWith().length;
  const copy = copyOf(unfolding, source, reason, phaseForWrite(unfolding, null));
  const stored = storeItem(unfolding, copy);
  const told: readonly MemoryTrace[] = unfolding.traceWith().slice(before);
  unfolding.record({
    type: 'promotion_settled',
    data: {
      promotion_id,
      source_id: source.id,
      to_id: copy.id,
      created_at: copy.created_at,
      stored: stored !== null,
    },
  });
  return { source_id: source.id, copy: stored, told };
}

/** Takes promoted items in, each promotion once (SPEC M12). @throws Refusal INVALID_INPUT for an unknown policy. */
export function receivePromotion(state: StoreState, command: ReceivePromotion): UnfoldedPromotion {
  if (state.settled.includes(command.promotion_id)) return { events: [], received: [] };
  const { op: _, policy: __, ...asked } = command;
  const { policy, kept } = resolvePolicy(state, command);
  const input: MemoryEvent = { type: 'promotion_received', data: { ...asked, ...kept } };
  const base = {
    ai_profile: command.assistant,
    session: command.session,
    policy_hash: kept.policy_hash,
  };
  const unfolding = new Unfolding(state, input, base, policy);
  const received = command.items.map((item) => receive(unfolding, item, command));
  return { events: unfolding.eventsWith(), received };
}
