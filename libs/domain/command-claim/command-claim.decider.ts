import type { AnsweredBy, Decider } from '../decider.js';
import { commandClaimSchemas, type CommandClaimEvent } from './events.js';

interface CommandClaimState {
  /** The stream to which the command was sent; null until the first claim. */
  readonly target_stream: string | null;
}

export interface ClaimCommand extends AnsweredBy<{ readonly target_stream: string }> {
  readonly type: 'claim';
  readonly target_stream: string;
}

/**
 * The decider of `command-<command_id>`. The first claim fixes the target stream of a request with an
 * Idempotency-Key, so a retry goes to the same stream (SPEC I7). A later claim adds no event.
 */
export const commandClaimDecider: Decider<CommandClaimState, ClaimCommand, CommandClaimEvent> = {
  category: 'command',
  schemas: commandClaimSchemas,
  initialState: () => ({ target_stream: null }),
  evolve: (_, event) => ({ target_stream: event.data.target_stream }),
  decide: ({ target_stream }, state) =>
    state.target_stream === null ? [{ type: 'command_claimed', data: { target_stream } }] : [],
  commandOf: (input) => ({ type: 'claim', target_stream: input.data.target_stream }),
  resultOf: (input) => ({ target_stream: input.data.target_stream }),
};
