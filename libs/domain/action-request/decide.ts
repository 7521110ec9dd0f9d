import type { ActionRequestCommand } from './commands.js';
import {
  linkExecution,
  orderErasure,
  recordDeletion,
  refuseExecution,
} from './decide-execution.js';
import { expire, request, revise } from './decide-proposal.js';
import { answer, ask, assign, comment, snooze } from './decide-review.js';
import { clear, vote } from './decide-vote.js';
import type { ActionRequestEvent } from './events.js';
import type { ActionRequestState } from './state.js';

/** Decides a command; the rules stand beside this file, by what is decided. */
export function decideActionRequest(
  command: ActionRequestCommand,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  switch (command.type) {
    case 'request':
      return request(command, state);
    case 'vote':
      return vote(command, state);
    case 'revise':
      return revise(command, state);
    case 'clear':
      return clear(command, state);
    case 'ask':
      return ask(command, state);
    case 'answer':
      return answer(command, state);
    case 'assign':
      return assign(command, state);
    case 'comment':
      return comment(command, state);
    case 'snooze':
      return snooze(command, state);
    case 'expire':
      return expire(command.at, state);
    case 'link_execution':
      return linkExecution(command, state);
    case 'refuse_execution':
      return refuseExecution({ code: command.code, link: null }, state);
    case 'order_erasure':
      return orderErasure(command, state);
    case 'record_deletion':
      return recordDeletion(command, state);
  }
}
