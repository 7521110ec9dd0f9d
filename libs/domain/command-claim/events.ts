import { type EventSchema, input } from '../decider.js';

/**
 * The event of `command-<command_id>`: the stream of a keyed request whose path does not name it. A retry
 * reads it to find the first answer (SPEC I7). The body's hash is in the metadata.
 */
export type CommandClaimEvent = {
  readonly type: 'command_claimed';
  readonly data: { readonly target_stream: string };
};

export const commandClaimSchemas: Readonly<Record<CommandClaimEvent['type'], EventSchema>> = {
  command_claimed: input,
};
