import type { Decider } from '../decider.js';
import { applyRetention } from './apply-retention.js';
import { memoryCommandOf, type MemoryCommand } from './commands.js';
import { memorySchemas, type MemoryEvent } from './events.js';
import { finishInteraction } from './finish-interaction.js';
import { recall } from './recall.js';
import { receivePromotion } from './receive-promotion.js';
import { recordInteraction } from './record-interaction.js';
import { evolveStore, initialStore, type StoreState } from './state.js';
import { storeJson } from './view.js';

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

/** `memory-<space>:<owner>`: one store of the Memory Contract (SPEC §11). */
export const memoryDecider: Decider<StoreState, MemoryCommand, MemoryEvent> = {
  category: 'memory',
  schemas: memorySchemas,
  initialState: initialStore,
  evolve: evolveStore,
  decide: decideMemory,
  commandOf: memoryCommandOf,
  /** Where the command's input stands: deciding it again on the state before gives the whole answer. */
  resultOf: (_, { version }) => ({ input_number: version }),
  stateJson: storeJson,
};
