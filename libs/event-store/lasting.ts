import { setTimeout as delay } from 'node:timers/promises';

/** Together a little longer than a cluster's nodes take to tell each other who leads (2 s by default). */
const ATTEMPTS = 7;
const BETWEEN_ATTEMPTS_MS = 500;

/**
 * Returns a difference between the log and what was known of it, if it stays; undefined if `find` finds none. A
 * leader that was paused goes on answering for a moment when it runs again, although another node leads and has
 * acknowledged more; a follower lags behind. Both seem to have another log.
 */
export async function lasting<Difference>(
  find: () => Promise<Difference | undefined>,
): Promise<Difference | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const difference = await find();
    if (difference === undefined || attempt === ATTEMPTS) return difference;
    await delay(BETWEEN_ATTEMPTS_MS);
  }
}
