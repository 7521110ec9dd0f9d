/** The outcome of a call to an agent or a council member. */
export type CallOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly time_ms: number }
  | { readonly kind: 'timeout'; readonly time_ms: number }
  | { readonly kind: 'failed'; readonly cause: unknown; readonly time_ms: number };

/**
 * All calls share this error, because making the usual AbortError takes longer than the rest of a call.
 */
const CANCELLED = new Error('The request was cancelled.');

/**
 * Makes one call with a timeout in ms. The timeout applies even if the called code ignores the signal; a
 * later answer is dropped (SPEC A2). It never rejects.
 */
export async function callWithTimeout<Answer>(
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<CallOutcome<Answer>> {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  const cancellation = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    const answer = Promise.resolve().then(() => call(cancellation.signal));
    const first = await Promise.race([answer.then((value) => ({ value })), timeUp]);
    if (first === 'timeout') return { kind: 'timeout', time_ms: elapsed() };
    return { kind: 'answered', answer: first.value, time_ms: elapsed() };
  } catch (cause) {
    return { kind: 'failed', cause, time_ms: elapsed() };
  } finally {
    clearTimeout(timer);
    // This stops the open calls to other processes. `race` handles a late rejection.
    cancellation.abort(CANCELLED);
  }
}
