/**
 * Awaits statements that were all sent on one connection, in this order, and returns the result of the last one. If
 * one fails, the later ones fail because of it, so the first failure is thrown, after all statements have ended.
 */
export async function sentInOrder<Last>(
  ...sent: readonly [...Promise<unknown>[], Promise<Last>]
): Promise<Last> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason;
  return sent.at(-1) as Promise<Last>;
}
