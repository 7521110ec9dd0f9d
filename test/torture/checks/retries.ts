import type { EventStore } from '#event-store/event-store.js';
import { withConcurrency } from '#test/faults/support/checks.js';
import type { Operation } from '../journal.js';

/** Repeats a sample of the operations. Each must get its first answer, and add nothing (SPEC I7). */
export async function retryFaults(
  operations: readonly Operation[],
  log: EventStore,
): Promise<string[]> {
  const end = await log.lastPosition();
  const faults: string[] = [];
  await withConcurrency(operations, 4, async ({ repeat, kind, route, key, answer }) => {
    if (repeat === undefined) return;
    const again = await repeat().then(JSON.stringify, String);
    if (again !== answer)
      faults.push(`${kind} (${route}, key ${key}) got ${answer}, and later ${again}`);
  });
  const after = await log.lastPosition();
  if (after !== end) faults.push(`the retries moved the log's end from ${end} to ${after}`);
  return faults;
}
