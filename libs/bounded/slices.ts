/** How long a computation may hold the event loop at a time, in ms. */
const SLICE_MS = 5;

/** The computations that wait for their next slice. Each turn of the event loop continues one of them. */
const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

/**
 * Runs a long computation in slices of 5 ms, between which the event loop does its other work.
 * @param steps the computation, which yields wherever it may pause
 */
export async function inSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < SLICE_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
}

/** Returns the result of such a computation, without a pause. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
