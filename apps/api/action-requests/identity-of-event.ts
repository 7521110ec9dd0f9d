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

/**
 * Returns the identity of the step that the first event of a type in a stream causes, so that a repeated step adds
 * nothing (SPEC I7).
 */
export async function identityOfEvent(
  eventStore: EventStore,
  stream: string,
  type: string,
): Promise<CommandIdentity> {
  const { event_id, trace_id } = (await firstEventOf(eventStore, stream, type)).metadata;
  return identityOfStep(event_id, [stream, event_id], trace_id);
}
