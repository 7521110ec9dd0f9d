import type { Decider } from '../decider.js';
import { commandClaimSchemas, type CommandClaimEvent } from './events.js';

export const commandStream = (commandId: string): string => `command-${commandId}`;

interface CommandClaimState {
  /** The stream that the command went to; null until it is claimed. */
  readonly target_stream: string | null;
}

interface ClaimCommand {
  readonly type: 'claim';
  readonly target_stream: string;
}

/**
 * `command-<command_id>`: the first claim fixes the stream of a keyed request, and a retry goes to the same
 * stream (SPEC I7). A later claim adds no event; the state holds the target.
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
