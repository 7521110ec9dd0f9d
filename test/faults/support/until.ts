import { setTimeout as delay } from 'node:timers/promises';

const GENEROUS_MS = 60_000;

/** Asks again and again until the answer is true; what fails meanwhile counts as "not yet". */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const end = Date.now() + GENEROUS_MS;
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
    `it did not come about that ${what}${last === undefined ? '' : `: ${(last as Error).message}`}`,
  );
}
