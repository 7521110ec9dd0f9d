import { conflictExplanation, mergedWinner, resolveConflict, type Conflict } from './conflict.js';
import type { MemoryItem } from '../item.js';
import { holderOf } from './ledger.js';
import { sharedKey } from '../utterance/redaction.js';
import { retentionFor } from '../retention/retention.js';
import type { StoreDecision } from '../store-decision.js';

function traceConflict(decision: StoreDecision, conflict: Conflict): void {
  const { winner, loser, rule } = conflict;
  decision.trace('memory_conflict', {
    winner_id: winner.id,
    loser_id: loser.id,
    rule,
    dedup_key: sharedKey(winner, loser),
    explanation: conflictExplanation(conflict),
  });
}

function recordStored(decision: StoreDecision, item: MemoryItem): MemoryItem {
  const retention = retentionFor(item, decision.policy);
  decision.record({ type: 'item_stored', data: { item, retention } });
  return item;
}

/**
 * Stores a new item if it wins against the existing item with the same key. Returns the item as it was
 * stored, or null if the new item lost or changed nothing (SPEC M9).
 */
export function storeItem(decision: StoreDecision, item: MemoryItem): MemoryItem | null {
  const existing = holderOf(decision.state.ledger, item);
  if (existing === undefined) return recordStored(decision, item);
  if (item.kind === 'profile' && existing.text === item.text) return null;
  const conflict = resolveConflict(existing, item, decision.policy.authority_order);
  if (conflict.winner === existing) {
    traceConflict(decision, conflict);
    return null;
  }
  // The winner is added before the loser is deleted, so the ledger's key then leads to the winner (SPEC M15).
  const stored = recordStored(decision, item.kind === 'semantic' ? mergedWinner(conflict) : item);
  traceConflict(decision, conflict);
  decision.delete(existing.id, 'superseded', stored.id);
  return stored;
}
