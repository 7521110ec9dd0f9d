import { type EventSchema, input } from '../decider.js';

/**
 * The event of `command-<command_id>`: the target stream of a request with an Idempotency-Key whose path
 * does not name the stream. A retry reads this event to find the first answer (SPEC I7). The hash of the
 * body is in the metadata.
 */
export type CommandClaimEvent = {
  readonly type: 'command_claimed';
  readonly data: { readonly target_stream: string };
};

export const commandClaimSchemas: Readonly<Record<CommandClaimEvent['type'], EventSchema>> = {
  command_claimed: input,
};
