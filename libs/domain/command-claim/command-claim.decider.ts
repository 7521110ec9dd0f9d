import type { Decider } from '../decider.js';
import { commandClaimSchemas, type CommandClaimEvent } from './events.js';

export const commandStream = (commandId: string): string => `command-${commandId}`;

interface CommandClaimState {
  /** Where the command went; null until it is claimed. */
  readonly target_stream: string | null;
}

interface ClaimCommand {
  readonly type: 'claim';
  readonly target_stream: string;
}

/**
 * `command-<command_id>`: the first claim says where a keyed request goes, and a retry goes there too
 * (SPEC I7). A later claim makes no event; the state tells the target.
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
