import type { MemoryEvent } from '#domain/memory-contract/events.js';
import type { Decision } from '#event-store/aggregate-store.js';

/** Makes a decision whose answer is the complete result that the domain returned. */
export const decisionOf = <Outcome extends { readonly events: readonly MemoryEvent[] }>(
  outcome: Outcome,
): Decision<MemoryEvent, Outcome> => ({ events: outcome.events, answer: outcome });
