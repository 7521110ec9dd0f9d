import { factDedupKey } from '../utterance/authority.js';
import { invalidStore } from '../state.js';
import type { RecordInteraction } from '../commands.js';
import type { MemoryEvent, MemoryTrace, PromotionRequested } from '../events.js';
import { forgetInAllStores } from '../retention/forget.js';
import type { MemoryItem } from '../item.js';
import { phaseForWrite } from '../phases/phases.js';
import { checkPromotion, type PromotionHint } from '../promotion/promotion.js';
import { shownItem } from '../utterance/redaction.js';
import type { Phase, StoreState } from '../state.js';
import { summarize } from '../short-term/summarize.js';
import { requestNamed } from '../short-term/summary-chain.js';
import { traceDiff } from '../phases/trace-diff.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';
import { utteranceFrom, type Utterance } from '../utterance/utterance.js';
import { noKnowledge, noProfile } from './left-out.js';
import { writeItem } from './write-item.js';

/** The result of an interaction. */
export interface InteractionOutcome {
  readonly events: readonly MemoryEvent[];
  /** The items that the interaction wrote, each in the form that it had when it was written. */
  readonly written: readonly MemoryItem[];
  /** The trace events in the order of the contract. If a promotion is pending, `memory_write` is left out. */
  readonly trace: readonly MemoryTrace[];
  /**
   * The granted promotion, or null. The target's store takes the next step, and this store the last one
   * (SPEC M12).
   */
  readonly promotion: PromotionRequested | null;
}

/** Writes the items of one interaction, in the order of SPEC M18, and returns the stored ones. */
function writeItems(
  decision: StoreDecision,
  command: RecordInteraction,
  phase: Phase,
): readonly MemoryItem[] {
  const { policy } = decision;
  const { settings } = command;
  const user = utteranceFrom(command.user, 'user', policy);
  const ai = utteranceFrom(command.ai, 'ai', policy);
  const turn = writeItem(decision, { kind: 'short_term', source: 'user', said: user }, phase);
  const written = [
    turn,
    writeItem(decision, { kind: 'short_term', source: 'ai', said: ai }, phase),
    summarize(decision, phase, settings.short_term),
  ];
  if (noKnowledge(user, settings, policy) === null)
    written.push(writeItem(decision, { kind: 'semantic', source: 'user', said: user }, phase));
  if (user.fact !== null && noProfile(user, settings) === null)
    written.push(writeFact(decision, user, user.fact, turn, phase));
  if (settings.semantic && command.tool !== null) {
    const said = utteranceFrom(command.tool, 'tool', policy);
    written.push(writeItem(decision, { kind: 'semantic', source: 'tool', said }, phase));
  }
  return written.filter((item) => item !== null);
}

/** Writes the profile item of a fact, with the fact's value and the utterance's importance (SPEC M18). */
const writeFact = (
  decision: StoreDecision,
  said: Utterance,
  { key, value }: { readonly key: string; readonly value: string },
  turn: MemoryItem | null,
  phase: Phase,
): MemoryItem | null =>
  writeItem(
    decision,
    {
      kind: 'profile',
      source: 'user',
      said,
      text: value,
      dedup_key: factDedupKey(key),
      key,
      ...(turn === null ? {} : { source_turn_ids: [turn.id] }),
    },
    phase,
  );

const isPromotable = ({ kind, meta }: MemoryItem): boolean =>
  kind !== 'short_term' && meta.promotion_target !== undefined && meta.promoted_from === undefined;

/**
 * Decides on the promotion that an utterance asks for (SPEC M12): refuses it, or returns the request that the
 * target's store receives next. All items of an utterance have the same target, type and authority.
 */
function promote(
  decision: StoreDecision,
  written: readonly MemoryItem[],
  { promotion_target: to_space, promotion_reason: reason }: PromotionHint,
  to_owner: string,
): PromotionRequested | null {
  const { key, promotions } = decision.state;
  const granted: MemoryItem[] = [];
  for (const item of written.filter(isPromotable)) {
    const target = { space: to_space, owner: to_owner };
    const verdict = checkPromotion(item.meta, target, decision.policy);
    if (verdict === 'allowed') granted.push(item);
    else refusePromotion(decision, item, to_space, verdict);
  }
  if (granted.length === 0) return null;
  const promotion_id = `${key}:promotion:${promotions + 1}`;
  return { promotion_id, to_space, to_owner, reason, items: granted, written };
}

function refusePromotion(
  decision: StoreDecision,
  { id, meta }: MemoryItem,
  to_space: PromotionHint['promotion_target'],
  reason: Exclude<ReturnType<typeof checkPromotion>, 'allowed'>,
): void {
  const spaces = { from_space: meta.space, to_space };
  decision.checkBorder('promote', reason, { ...spaces, subject_id: id });
  const denied = { ...spaces, memory_id: id, allowed: false, reason } as const;
  decision.trace('memory_promotion_denied', denied);
}

/** Returns the trace event that comes first in an interaction's trace and lists the written items (SPEC M20). */
export const writeSummary = (
  decision: StoreDecision,
  written: readonly MemoryItem[],
): MemoryTrace => decision.summary('memory_write', { written: written.map(shownItem) });

/**
 * Records an interaction (SPEC M18). If a promotion is granted, the interaction is not finished: the
 * target's store takes the next step, and `finishInteraction` takes the last one. @throws Refusal
 * INVALID_INPUT for another session's store or an unknown policy.
 */
export function recordInteraction(
  state: StoreState,
  command: RecordInteraction,
): InteractionOutcome {
  const { op: _, policy: __, ...asked } = command;
  const { assistant, owners, phase_diff } = asked;
  if (state.space !== 'session' || state.owner !== owners.session) throw invalidStore(state);
  const { policy, kept } = resolvePolicy(state, command);
  const input: MemoryEvent = { type: 'interaction_recorded', data: { ...asked, ...kept } };
  const base = { ai_profile: assistant, session: owners.session, policy_hash: kept.policy_hash };
  const decision = new StoreDecision(state, input, base, policy);

  const written = writeItems(decision, command, phaseForWrite(decision, command.phase));
  const { hint } = utteranceFrom(command.user, 'user', policy);
  const promotion =
    hint === null ? null : promote(decision, written, hint, owners[hint.promotion_target]);
  if (promotion !== null) {
    decision.record({ type: 'promotion_requested', data: requestNamed(promotion) });
    return { events: decision.eventsWith(), written, trace: decision.traceWith(), promotion };
  }
  forgetInAllStores(decision, command.elsewhere);
  if (phase_diff !== null) traceDiff(decision, phase_diff, owners);
  const write = writeSummary(decision, written);
  return {
    events: decision.eventsWith(write),
    written,
    trace: decision.traceWith(write),
    promotion,
  };
}
