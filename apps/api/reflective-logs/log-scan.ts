import type { EventStore, LoggedEvent } from '#event-store/event-store.js';

/**
 * Hands out the events of every log's own stream, in the log's order, up to a position. Fails with what
 * `handle` threw, and with the signal's reason when it is aborted.
 */
export async function scanLogs(
  eventStore: EventStore,
  end: bigint | undefined,
  handle: (events: readonly LoggedEvent[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (end === undefined) return;
  let finish: () => void = () => undefined;
  let fail: (cause: unknown) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  const passed = (position: bigint): void => {
    if (position >= end) finish();
  };
  const abort = (): void => fail(signal.reason);
  signal.addEventListener('abort', abort);
  const subscription = eventStore.subscribe({
    after: undefined,
    onEvents: async (events) => {
      const own = events.filter(
        ({ stream, position }) => stream.startsWith('reflective-') && position <= end,
      );
      if (own.length > 0) await handle(own);
      passed(events.at(-1)?.position ?? 0n);
    },
    onCheckpoint: async (position) => passed(position),
    onStopped: (cause) => fail(cause),
  });
  try {
    await done;
  } finally {
    signal.removeEventListener('abort', abort);
    await subscription.stop();
  }
}
