import type { Decider } from '../decider.js';
import { type ActionRequestCommand, commandOfActionRequest } from './commands.js';
import { decideActionRequest } from './decide.js';
import { actionRequestSchemas, type ActionRequestEvent } from './events.js';
import {
  evolveActionRequest,
  hashedState,
  initialActionRequest,
  type ActionRequestState,
} from './state.js';
import { requestView } from './view.js';

/** `request-<request_id>`: a proposal, the council's votes, and the outcome (SPEC G1–G3). */
export const actionRequestDecider: Decider<
  ActionRequestState,
  ActionRequestCommand,
  ActionRequestEvent
> = {
  category: 'request',
  schemas: actionRequestSchemas,
  initialState: initialActionRequest,
  evolve: evolveActionRequest,
  decide: decideActionRequest,
  commandOf: commandOfActionRequest,
  stateJson: hashedState,
  resultOf: (_, stateAfter) => requestView(stateAfter),
};
