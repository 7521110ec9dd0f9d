import type { Decider } from '../decider.js';
import { answerOfSem, commandOfSem, decideSem, type SemCommand } from './decide.js';
import { semSchemas, type SemEvent } from './events.js';
import { evolveSem, initialSemState, type SemState } from './state.js';

/** The decider of a fact, `sem-<canonical key>` (SPEC K4, S1–S5). */
export const semDecider: Decider<SemState, SemCommand, SemEvent> = {
  category: 'sem',
  schemas: semSchemas,
  initialState: initialSemState,
  evolve: evolveSem,
  decide: decideSem,
  commandOf: commandOfSem,
  resultOf: (input) => answerOfSem(input),
  stateJson: ({ claims, ...state }) => ({ ...state, claims: [...claims] }),
};
