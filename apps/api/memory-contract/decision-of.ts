import type { MemoryEvent } from '#domain/memory-contract/events.js';
import type { Decision } from '#event-store/aggregate-store.js';

/** A decision whose answer is all that the domain decided. */
export const decisionOf = <Outcome extends { readonly events: readonly MemoryEvent[] }>(
  outcome: Outcome,
): Decision<MemoryEvent, Outcome> => ({ events: outcome.events, answer: outcome });
