import type { ApplyRetention } from '../commands.js';
import type { MemoryEvent, MemoryTrace } from '../events.js';
import { forgetExpired, hasExpired } from './forget.js';
import type { StoreState } from '../state.js';
import { resolvePolicy, StoreDecision } from '../store-decision.js';

/**
 * Deletes the expired items of a store from which a request reads (SPEC M10). Returns the events and the
 * trace events, which are both empty if nothing has expired.
 */
export function applyRetention(
  state: StoreState,
  command: ApplyRetention,
): { readonly events: readonly MemoryEvent[]; readonly told: readonly MemoryTrace[] } {
  const { op: _, policy: __, ...asked } = command;
  const { policy, kept } = resolvePolicy(state, command);
  if (!hasExpired(state, policy)) return { events: [], told: [] };
  const input: MemoryEvent = { type: 'retention_applied', data: { ...asked, ...kept } };
  const base = {
    ai_profile: command.assistant,
    session: command.session,
    policy_hash: kept.policy_hash,
  };
  const decision = new StoreDecision(state, input, base, policy);
  forgetExpired(decision, state.tick);
  return { events: decision.eventsWith(), told: decision.traceWith() };
}
