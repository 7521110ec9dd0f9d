import type { Decider } from '../decider.js';
import { applyRetention } from './retention/apply-retention.js';
import { memoryCommandOf, type MemoryCommand } from './commands.js';
import { memorySchemas, type MemoryEvent } from './events.js';
import { finishInteraction } from './interaction/finish-interaction.js';
import { itemCount } from './store/ledger.js';
import { recall } from './recall/recall.js';
import { receivePromotion } from './promotion/receive-promotion.js';
import { recordInteraction } from './interaction/record-interaction.js';
import { evolveStore, initialStore, type StoreState } from './state.js';
import { storeJson } from './trace/view.js';

const ITEM_SIZE = 1_000;
const POLICY_SIZE = 3_000;
/** The size of one item in the ledger of an ended phase, which refers to the store's items and does not copy them. */
const REFERENCE_SIZE = 8;

function decideMemory(command: MemoryCommand, state: StoreState): readonly MemoryEvent[] {
  switch (command.op) {
    case 'record_interaction':
      return recordInteraction(state, command).events;
    case 'recall':
      return recall(state, command).events;
    case 'receive_promotion':
      return receivePromotion(state, command).events;
    case 'finish_interaction':
      return finishInteraction(state, command).events;
    case 'apply_retention':
      return applyRetention(state, command).events;
  }
}

/** The decider of `memory-<space>:<owner>`, one store of the Memory Contract (SPEC §11). */
export const memoryDecider: Decider<StoreState, MemoryCommand, MemoryEvent> = {
  category: 'memory',
  schemas: memorySchemas,
  initialState: initialStore,
  evolve: evolveStore,
  decide: decideMemory,
  commandOf: memoryCommandOf,
  /**
   * This decider needs its own size function, because most events are trace events, which the state does
   * not keep.
   */
  sizeOf: ({ ledger, closed, policies }) =>
    ITEM_SIZE * itemCount(ledger) +
    REFERENCE_SIZE * closed.reduce((sum, ended) => sum + itemCount(ended), 0) +
    POLICY_SIZE * Object.keys(policies).length,
  stateJson: storeJson,
};
