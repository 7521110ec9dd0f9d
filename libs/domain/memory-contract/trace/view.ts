import type { Json, JsonObject } from '../../json.js';
import type { MemoryEvent } from '../events.js';
import { keyEntries } from '../../key-map.js';
import { allItems, type Ledger } from '../store/ledger.js';
import { phaseMeta } from '../phases/phases.js';
import { evolveStore, initialStore, type StoreState } from '../state.js';

/** Returns the phases of a store, oldest first. */
export const phasesView = ({ phases }: StoreState) =>
  phases.map((phase) => ({ ...phaseMeta(phase), phase_index: phase.phase_index }));

/** Returns a store as `GET memory/{space}/{owner}` shows it: items by kind, each kind oldest first. */
export const storeView = (state: StoreState) => ({
  space: state.space,
  owner: state.owner,
  tick: state.tick,
  version: state.version,
  current_phase: phasesView(state).at(-1) ?? null,
  items: allItems(state.ledger),
});

/** Folds the events up to the last one of the given tick, and returns the store at that point (SPEC X3). */
export function storeAtTick(
  stream: string,
  events: Iterable<MemoryEvent>,
  tick: number,
): StoreState {
  let state = initialStore(stream);
  for (const event of events) {
    const next = evolveStore(state, event);
    if (next.tick > tick) break;
    state = next;
  }
  return state;
}

const ledgerJson = ({ items, keys }: Ledger): JsonObject => ({
  items: [...items.short_term, ...items.semantic, ...items.profile].map(({ item, retention }) => [
    item,
    retention,
  ]),
  keys: Object.fromEntries(keyEntries(keys)),
});

/** Returns the whole state as JSON; a replay's state_hash covers it (SPEC X1). */
export const storeJson = (state: StoreState): Json => ({
  ...state,
  phases: phasesView(state),
  asked: state.asked ?? null,
  ledger: ledgerJson(state.ledger),
  closed: state.closed.map((ledger) => ({ phase_id: ledger.phase_id, ...ledgerJson(ledger) })),
});
