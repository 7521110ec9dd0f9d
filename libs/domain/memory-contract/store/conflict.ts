import { byteOrder } from '../../determinism/ids.js';
import { compareAuthority, isAtLeast } from '../utterance/authority.js';
import type { Authority, MemoryItem } from '../item.js';

export const CONFLICT_RULES = ['authority', 'correction', 'recency', 'importance'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];

export interface Conflict {
  readonly winner: MemoryItem;
  readonly loser: MemoryItem;
  readonly rule: ConflictRule;
}

const isCorrection = ({ meta }: MemoryItem): boolean => meta.event_type === 'correction';

/** True for a correction with at least the user's authority, which may override any item (SPEC M9). */
const mayOverride = (incoming: MemoryItem, order: readonly Authority[]): boolean =>
  isCorrection(incoming) && isAtLeast(incoming.meta.authority, 'user_asserted', order);

/**
 * Decides which of two items with the same key wins, by the first rule in which they differ (SPEC M9).
 * `order` is the policy's order of authorities.
 */
export function resolveConflict(
  existing: MemoryItem,
  incoming: MemoryItem,
  order: readonly Authority[],
): Conflict {
  const decided = (incomingWins: boolean, rule: ConflictRule): Conflict =>
    incomingWins
      ? { winner: incoming, loser: existing, rule }
      : { winner: existing, loser: incoming, rule };
  const authority = compareAuthority(incoming.meta.authority, existing.meta.authority, order);
  if (authority > 0 || (authority < 0 && !mayOverride(incoming, order)))
    return decided(authority > 0, 'authority');
  if (isCorrection(incoming) !== isCorrection(existing))
    return decided(isCorrection(incoming), 'correction');
  if (incoming.created_at !== existing.created_at)
    return decided(incoming.created_at > existing.created_at, 'recency');
  if (incoming.importance !== existing.importance)
    return decided(incoming.importance > existing.importance, 'importance');
  return decided(byteOrder(incoming.id, existing.id) > 0, 'importance');
}

/** Returns the winner. An incoming winner gets the loser's importance if that is larger (SPEC M9). */
export function mergedWinner({ winner, loser }: Conflict): MemoryItem {
  if (loser.importance <= winner.importance) return winner;
  const importance_reason = [...winner.meta.importance_reason, 'conflict_merge'];
  return { ...winner, importance: loser.importance, meta: { ...winner.meta, importance_reason } };
}

/** Returns why the winner won, in the form of the trace (SPEC M20). */
export const conflictExplanation = ({ winner, loser, rule }: Conflict) => ({
  rule,
  authority: { winner: winner.meta.authority, loser: loser.meta.authority },
  event_type: { winner: winner.meta.event_type, loser: loser.meta.event_type },
  recency: { winner_created_at: winner.created_at, loser_created_at: loser.created_at },
  importance: { winner: winner.importance, loser: loser.importance },
});
