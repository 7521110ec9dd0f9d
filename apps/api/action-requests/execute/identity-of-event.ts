import { identityOfStep } from '#domain/determinism/command-identity.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';

/** Returns the first event of a type in a stream, which must contain one. */
export async function firstEventOf(
  eventStore: EventStore,
  stream: string,
  type: string,
): Promise<LoggedEvent> {
  let found: LoggedEvent | undefined;
  // The read goes on to the end, because a read that is cancelled resets a stream of the connection.
  for await (const event of readRecorded(eventStore, stream))
    if (event.type === type) found ??= event;
  if (found === undefined) throw new Error(`${stream} contains no event ${type}`);
  return found;
}

/** Returns the identity of the step that an event of a stream causes, so that a repeated step adds nothing (SPEC I7). */
export const identityCausedBy = ({ stream, metadata }: LoggedEvent): CommandIdentity =>
  identityOfStep(metadata.event_id, [stream, metadata.event_id], metadata.trace_id);

/**
 * Returns the identity of the step that the first event of a type in a stream causes, so that a repeated step adds
 * nothing (SPEC I7).
 */
export async function identityOfEvent(
  eventStore: EventStore,
  stream: string,
  type: string,
): Promise<CommandIdentity> {
  return identityCausedBy(await firstEventOf(eventStore, stream, type));
}
