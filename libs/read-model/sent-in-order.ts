/**
 * Waits for all that was sent to one connection, in this order and without waiting in between, and answers what
 * the last one did. The first failure is the cause of those behind it, and is thrown when nothing is under way
 * any more.
 */
export async function sentInOrder<Last>(
  ...sent: readonly [...Promise<unknown>[], Promise<Last>]
): Promise<Last> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason;
  return sent.at(-1) as Promise<Last>;
}
