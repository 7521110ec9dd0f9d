import type { FinishInteraction } from '../commands.js';
import type { MemoryEvent, MemoryTrace, PromotionRequested, ReceivedItem } from '../events.js';
import { forgetEverywhere } from '../retention/forget.js';
import type { MemoryItem } from '../item.js';
import { heldItem } from '../store/ledger.js';
import { writeSummary } from './record-interaction.js';
import type { PendingPromotion, StoreState } from '../state.js';
import { tellDiff } from '../phases/tell-diff.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';

/** What the rest of an interaction comes to. */
export interface FinishedInteraction {
  readonly events: readonly MemoryEvent[];
  /** All that the interaction wrote, promoted copies last. */
  readonly written: readonly MemoryItem[];
  /** `memory_write` first, then what was decided since the promotion was requested. */
  readonly trace: readonly MemoryTrace[];
}

export const pendingPromotion = (
  { pending }: StoreState,
  promotionId: string,
): PendingPromotion | undefined =>
  pending.find(({ requested }) => requested.promotion_id === promotionId);

/** What the target told: its changes it keeps itself, its border check is this store's to keep (SPEC §11). */
function hearTarget(decision: StoreDecision, told: readonly MemoryTrace[]): void {
  for (const trace of told)
    if (trace.type === 'memory_border_check') decision.trace(trace.type, trace.data);
    else decision.include([trace]);
}

/** Told: the border check, what the target told, then the promotion and what it leaves behind (SPEC M12). */
function tellPromotion(
  decision: StoreDecision,
  { id, meta }: MemoryItem,
  { to_space, reason }: PromotionRequested,
  received: ReceivedItem | undefined,
): void {
  const spaces = { from_space: meta.space, to_space };
  decision.checkBorder('promote', 'allowed', { ...spaces, subject_id: id });
  hearTarget(decision, received?.told ?? []);
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

/** Ends an interaction whose promotions have met their target; what is not pending is done (SPEC M12). */
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
  const of = (id: string) => command.received.find(({ source_id }) => source_id === id);
  for (const item of requested.items) tellPromotion(decision, item, requested, of(item.id));
  forgetEverywhere(decision, command.elsewhere);
  if (command.phase_diff !== null) tellDiff(decision, command.phase_diff, asked.owners);
  const copies = command.received.flatMap(({ copy }) => (copy === null ? [] : [copy]));
  const written = [...requested.written, ...copies];
  const write = writeSummary(decision, written);
  return { events: decision.eventsWith(write), written, trace: decision.traceWith(write) };
}
