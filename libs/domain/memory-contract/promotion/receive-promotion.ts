import type { ReceivePromotion } from '../commands.js';
import type { MemoryEvent, MemoryTrace, ReceivedItem } from '../events.js';
import type { MemoryItem } from '../item.js';
import { phaseForWrite, phaseMeta } from '../phases/phases.js';
import { expiresAt, retentionFor } from '../retention/retention.js';
import type { Phase, StoreState } from '../state.js';
import { storeItem } from '../store/store-item.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';

/** The result of a promotion in the target's store. */
export interface PromotionOutcome {
  readonly events: readonly MemoryEvent[];
  /** The results, in the order of the promoted items; `finishInteraction` needs these results. */
  readonly received: readonly ReceivedItem[];
}

/**
 * Makes the target's copy of an item. Its id, tick, phase and expiry are new; everything else is the
 * source's (SPEC M12).
 */
function copyOf(
  decision: StoreDecision,
  source: MemoryItem,
  reason: string,
  phase: Phase,
): MemoryItem {
  const { space, owner } = decision.state;
  const { expires_at: _, phase_name: __, ...meta } = source.meta;
  const copy: MemoryItem = {
    ...source,
    ...decision.next(source.kind),
    meta: {
      ...meta,
      space,
      owner,
      ...phaseMeta(phase),
      promoted_from: source.id,
      promotion_reason: reason,
    },
  };
  const end = expiresAt(copy, retentionFor(copy, decision.policy));
  return { ...copy, meta: { ...copy.meta, ...end } };
}

function receive(
  decision: StoreDecision,
  source: MemoryItem,
  { promotion_id, reason }: ReceivePromotion,
): ReceivedItem {
  const before: number = decision.traceWith().length;
  const copy = copyOf(decision, source, reason, phaseForWrite(decision, null));
  const stored = storeItem(decision, copy);
  const told: readonly MemoryTrace[] = decision.traceWith().slice(before);
  decision.record({
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

/**
 * Receives promoted items. Receiving the same promotion again gives an empty result (SPEC M12). @throws
 * Refusal INVALID_INPUT for an unknown policy.
 */
export function receivePromotion(state: StoreState, command: ReceivePromotion): PromotionOutcome {
  if (state.settled.includes(command.promotion_id)) return { events: [], received: [] };
  const { op: _, policy: __, ...asked } = command;
  const { policy, kept } = resolvePolicy(state, command);
  const input: MemoryEvent = { type: 'promotion_received', data: { ...asked, ...kept } };
  const base = {
    ai_profile: command.assistant,
    session: command.session,
    policy_hash: kept.policy_hash,
  };
  const decision = new StoreDecision(state, input, base, policy);
  const received = command.items.map((item) => receive(decision, item, command));
  return { events: decision.eventsWith(), received };
}
