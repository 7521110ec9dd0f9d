import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

/** Polls until the condition is true; an exception counts as false. Throws after 60 s. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  let last: unknown;
  while (Date.now() < end) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (cause) {
      last = cause;
    }
    await delay(50);
  }
  throw new Error(
    `timed out waiting until ${what}${last === undefined ? '' : `: ${(last as Error).message}`}`,
  );
}
