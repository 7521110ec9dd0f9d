import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { EventStoreUnavailable } from './event-store.js';
import type { ReadCall } from './read-call.js';

const PAUSE_AT = 512;

/**
 * The responses of a read, as many at a time as have come; the server is held back while nobody takes
 * them. Fails with `EventStoreUnavailable` when it stays silent for `timeoutMs`.
 */
export async function* responsesOf(
  opening: Promise<ReadCall>,
  timeoutMs: number,
  onTimeout: () => void,
): AsyncGenerator<readonly ReadResp[], void, undefined> {
  const call = await opened(opening, timeoutMs, onTimeout);
  let page: ReadResp[] = [];
  let ended = false;
  let failure: unknown;
  let wake: () => void = () => undefined;
  call.on('data', (response: ReadResp) => {
    page.push(response);
    if (page.length >= PAUSE_AT) call.pause();
    wake();
  });
  call.on('end', () => {
    ended = true;
    wake();
  });
  call.on('error', (cause) => {
    failure ??= cause;
    ended = true;
    wake();
  });
  const more = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        failure = new Error(`no answer in ${timeoutMs} ms`);
        ended = true;
        onTimeout();
        resolve();
      }, timeoutMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (;;) {
      if (page.length === 0 && !ended) {
        await more();
        await afterThisTurn(); // What came in with the first is taken with it.
      }
      if (failure !== undefined) throw unavailable(failure);
      if (page.length === 0 && ended) return;
      const taken = page;
      page = [];
      call.resume();
      yield taken;
    }
  } finally {
    if (!ended) call.cancel();
  }
}

/** The call, unless connecting takes too long; one that opens too late is cancelled. */
export async function opened(
  opening: Promise<ReadCall>,
  timeoutMs: number,
  onTimeout: () => void,
): Promise<ReadCall> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout();
      void opening.then(cancelled, () => undefined);
      reject(unavailable(new Error(`no connection in ${timeoutMs} ms`)));
    }, timeoutMs);
  });
  try {
    return await Promise.race([opening, late]);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** A call that is cancelled still tells of it by an error, which nobody waits for. */
export function cancelled(call: ReadCall): void {
  call.on('error', () => undefined);
  call.cancel();
}

export const unavailable = (cause: unknown): EventStoreUnavailable =>
  cause instanceof EventStoreUnavailable
    ? cause
    : new EventStoreUnavailable(
        `The event store cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
