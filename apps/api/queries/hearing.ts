/** The outcome of a call to an agent or a council member. */
export type Heard<Said> =
  | { readonly outcome: 'said'; readonly said: Said; readonly time_ms: number }
  | { readonly outcome: 'timeout'; readonly time_ms: number }
  | { readonly outcome: 'failed'; readonly cause: unknown; readonly time_ms: number };

/** One instance for all calls: creating the usual AbortError costs more than the rest of a call. */
const CANCELLED = new Error('The request was cancelled.');

/**
 * Calls once, with a timeout in ms that holds even if the callee ignores the signal; a later answer is
 * dropped (SPEC A2).
 */
export async function hear<Said>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<Said>,
): Promise<Heard<Said>> {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    const said = Promise.resolve().then(() => ask(patience.signal));
    const first = await Promise.race([said.then((value) => ({ value })), timeUp]);
    if (first === 'timeout') return { outcome: 'timeout', time_ms: elapsed() };
    return { outcome: 'said', said: first.value, time_ms: elapsed() };
  } catch (cause) {
    return { outcome: 'failed', cause, time_ms: elapsed() };
  } finally {
    clearTimeout(timer);
    // Stops outside calls that are still open; `race` handles a late rejection.
    patience.abort(CANCELLED);
  }
}
