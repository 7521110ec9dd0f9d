import type { Decider } from '../decider.js';
import {
  commandOfReflectiveLog,
  decideReflectiveLog,
  owedHealing,
  type ReflectiveLogCommand,
} from './decide.js';
import { reflectiveLogSchemas, type ReflectiveLogEvent } from './events.js';
import { evolveReflectiveLog, initialReflectiveLog, type ReflectiveLogState } from './state.js';
import { answerOf } from './view.js';

/** The decider of `reflective-<log_id>`: a signed log and its additions (SPEC §7). */
export const reflectiveLogDecider: Decider<
  ReflectiveLogState,
  ReflectiveLogCommand,
  ReflectiveLogEvent
> = {
  category: 'reflective',
  schemas: reflectiveLogSchemas,
  initialState: initialReflectiveLog,
  evolve: evolveReflectiveLog,
  decide: decideReflectiveLog,
  owed: owedHealing,
  commandOf: commandOfReflectiveLog,
  resultOf: answerOf,
};
