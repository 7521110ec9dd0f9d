import { traceForgotten } from '../retention/forget.js';
import type { MemoryItem } from '../item.js';
import { phaseMeta } from '../phases/phases.js';
import { retentionFor } from '../retention/retention.js';
import { evicted, isSummary, summaryOf } from './short-term.js';
import { summaryAfter } from './summary-chain.js';
import type { StoredItem } from '../store/stored-list.js';
import type { Phase, StoreState } from '../state.js';
import type { StoreDecision } from '../store-decision.js';

/**
 * Returns a phase's stored turns, oldest first, and its summary of the turns that left the window; only the
 * items that `isSeen` accepts.
 */
export function windowOf(
  { ledger }: StoreState,
  phaseId: string,
  isSeen: (stored: StoredItem) => boolean = () => true,
) {
  const ofPhase = [...ledger.items.short_term]
    .filter(isSeen)
    .map(({ item }) => item)
    .filter(({ meta }) => meta.phase_id === phaseId);
  return {
    turns: ofPhase.filter((item) => !isSummary(item)),
    summary: ofPhase.find(isSummary),
  };
}

/** Replaces the turns that no longer fit the window by one summary (SPEC M11). Returns null if every turn fits. */
export function summarize(
  decision: StoreDecision,
  phase: Phase,
  maxTurns: number,
): MemoryItem | null {
  const { turns, summary: prior } = windowOf(decision.state, phase.phase_id);
  const gone = evicted(turns, maxTurns);
  if (gone.length === 0) return null;
  const { space, owner } = decision.state;
  const { id, created_at } = decision.next('short_term');
  const meta = { space, owner, ...phaseMeta(phase) };
  const item = summaryOf(gone, prior, { id, created_at, meta });
  const retention = retentionFor(item, decision.policy);
  decision.record({ type: 'item_stored', data: { item: summaryAfter(item, prior), retention } });
  if (prior !== undefined) decision.delete(prior.id, 'superseded', item.id);
  for (const turn of gone) traceForgotten(decision, turn, 'decay');
  for (const turn of gone) decision.delete(turn.id, 'expired');
  return item;
}
