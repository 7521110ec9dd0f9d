import type { FinishInteraction } from '../commands.js';
import type { MemoryEvent, MemoryTrace, PromotionRequested, ReceivedItem } from '../events.js';
import { forgetInAllStores } from '../retention/forget.js';
import type { MemoryItem } from '../item.js';
import { heldItem } from '../store/ledger.js';
import { writeSummary } from './record-interaction.js';
import type { PendingPromotion, StoreState } from '../state.js';
import { traceDiff } from '../phases/trace-diff.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';

/** The result of an interaction's last step. */
export interface FinishedInteraction {
  readonly events: readonly MemoryEvent[];
  /** All items that the interaction wrote, promoted copies last. */
  readonly written: readonly MemoryItem[];
  /** The event `memory_write`, then the trace events since the promotion was requested. */
  readonly trace: readonly MemoryTrace[];
}

export const pendingPromotion = (
  { pending }: StoreState,
  promotionId: string,
): PendingPromotion | undefined =>
  pending.find(({ requested }) => requested.promotion_id === promotionId);

/**
 * Adds the target's trace events to the trace. Of these, the stream of this store records only the
 * border checks, not the target's changes (SPEC §11).
 */
function addTargetTraces(decision: StoreDecision, told: readonly MemoryTrace[]): void {
  for (const trace of told)
    if (trace.type === 'memory_border_check') decision.trace(trace.type, trace.data);
    else decision.include([trace]);
}

/**
 * Traces the border check, the target's trace events and the promotion, then deletes the item in this
 * store (SPEC M12).
 */
function tracePromotion(
  decision: StoreDecision,
  { id, meta }: MemoryItem,
  { to_space, reason }: PromotionRequested,
  received: ReceivedItem | undefined,
): void {
  const spaces = { from_space: meta.space, to_space };
  decision.checkBorder('promote', 'allowed', { ...spaces, subject_id: id });
  addTargetTraces(decision, received?.told ?? []);
  const copy = received?.copy ?? null;
  if (copy === null) return;
  decision.trace('memory_promoted', {
    ...spaces,
    from_id: id,
    to_id: copy.id,
    authority_used: meta.authority,
    reason,
  });
  const isStillHere = heldItem(decision.state.ledger, id) !== undefined;
  if (isStillHere) decision.delete(id, 'promoted', copy.id);
}

/**
 * Ends an interaction after the target store has decided on the promoted items (SPEC M12). The result is
 * empty if no promotion is pending.
 */
export function finishInteraction(
  state: StoreState,
  command: FinishInteraction,
): FinishedInteraction {
  const pending = pendingPromotion(state, command.promotion_id);
  if (pending === undefined) return { events: [], written: [], trace: [] };
  const { requested, asked } = pending;
  const { op: _, ...data } = command;
  const { policy, kept } = resolvePolicy(state, asked);
  const input: MemoryEvent = { type: 'interaction_finished', data };
  const base = {
    ai_profile: asked.assistant,
    session: asked.owners.session,
    policy_hash: kept.policy_hash,
  };
  const decision = new StoreDecision(state, input, base, policy);
  const resultOf = (id: string) => command.received.find(({ source_id }) => source_id === id);
  for (const item of requested.items) tracePromotion(decision, item, requested, resultOf(item.id));
  forgetInAllStores(decision, command.elsewhere);
  if (command.phase_diff !== null) traceDiff(decision, command.phase_diff, asked.owners);
  const copies = command.received.flatMap(({ copy }) => (copy === null ? [] : [copy]));
  const written = [...requested.written, ...copies];
  const write = writeSummary(decision, written);
  return { events: decision.eventsWith(write), written, trace: decision.traceWith(write) };
}
