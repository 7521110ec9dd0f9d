import { setTimeout as delay } from 'node:timers/promises';
import { DamagedEvent, EventStoreUnavailable } from '#event-store/event-store.js';

/** The pause before an event store that could not be reached is asked again. */
const RETRY_MS = 500;

/**
 * Pauses after a failure that is over once the event store can be reached again; the pause ends when the
 * signal aborts. Throws every other failure.
 */
export async function waitAfter(cause: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (cause instanceof DamagedEvent || !(cause instanceof EventStoreUnavailable)) throw cause;
  await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Returns the result of `read`, once the event store can be reached; undefined if the signal aborts. */
export async function onceReachable<Result>(
  read: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    try {
      return await read();
    } catch (cause) {
      await waitAfter(cause, signal);
    }
  }
  return undefined;
}
