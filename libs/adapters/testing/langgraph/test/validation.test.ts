import {
  deltaChannelHistoryTests,
  type CheckpointSaverTestInitializer,
  validate,
} from '@langchain/langgraph-checkpoint-validation';
import { MaceSaver } from '../src/index.js';
import { newClient } from './support.js';

/** Each checkpointer has an owner of its own, so it sees nothing of the others. */
const initializer: CheckpointSaverTestInitializer<MaceSaver> = {
  checkpointerName: '@mace-memory/langgraph',
  createCheckpointer: () => new MaceSaver(newClient()),
};

validate(initializer);
deltaChannelHistoryTests(initializer);
