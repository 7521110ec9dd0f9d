import { type EventSchema, input } from '../decider.js';

/**
 * The event of `command-<command_id>`: which stream a keyed request went to, where the path does not say
 * so. A retry finds it, and with it the first answer (SPEC I7). The body's hash is in the metadata.
 */
export type CommandClaimEvent = {
  readonly type: 'command_claimed';
  readonly data: { readonly target_stream: string };
};

export const commandClaimSchemas: Readonly<Record<CommandClaimEvent['type'], EventSchema>> = {
  command_claimed: input,
};
