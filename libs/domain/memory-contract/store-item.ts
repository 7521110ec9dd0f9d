import { conflictExplanation, mergedWinner, resolveConflict, type Conflict } from './conflict.js';
import type { MemoryItem } from './item.js';
import { holderOf } from './ledger.js';
import { sharedKey } from './redaction.js';
import { retentionFor } from './retention.js';
import type { Unfolding } from './unfolding.js';

function tellConflict(unfolding: Unfolding, conflict: Conflict): void {
  const { winner, loser, rule } = conflict;
  unfolding.tell('memory_conflict', {
    winner_id: winner.id,
    loser_id: loser.id,
    rule,
    dedup_key: sharedKey(winner, loser),
    explanation: conflictExplanation(conflict),
  });
}

function keep(unfolding: Unfolding, item: MemoryItem): MemoryItem {
  const retention = retentionFor(item, unfolding.policy);
  unfolding.record({ type: 'item_stored', data: { item, retention } });
  return item;
}

/**
 * Brings an item into the store, if it wins against the one that says the same. Answers it as stored, or
 * null where it lost or changed nothing (SPEC M9).
 */
export function storeItem(unfolding: Unfolding, item: MemoryItem): MemoryItem | null {
  const existing = holderOf(unfolding.state.ledger, item);
  if (existing === undefined) return keep(unfolding, item);
  if (item.kind === 'profile' && existing.text === item.text) return null;
  const conflict = resolveConflict(existing, item);
  if (conflict.winner === existing) {
    tellConflict(unfolding, conflict);
    return null;
  }
  // The winner is added before the loser is deleted: the ledger's key stays with it (SPEC M15).
  const stored = keep(unfolding, item.kind === 'semantic' ? mergedWinner(conflict) : item);
  tellConflict(unfolding, conflict);
  unfolding.delete(existing.id, 'superseded', stored.id);
  return stored;
}
