/** What became of asking somebody outside. */
export type Heard<Said> =
  | { readonly outcome: 'said'; readonly said: Said; readonly time_ms: number }
  | { readonly outcome: 'timeout'; readonly time_ms: number }
  | { readonly outcome: 'failed'; readonly cause: unknown; readonly time_ms: number };

/** One for all: making the usual one costs more than all else here. */
const NO_LONGER_HEARD = new Error('Whoever asked hears no more');

/**
 * Asks once and waits so long, whatever the asked one does with the signal: what it says later is not
 * heard (SPEC A2).
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
    // Outside calls that are still open stop; `race` has taken charge of a late rejection.
    patience.abort(NO_LONGER_HEARD);
  }
}
