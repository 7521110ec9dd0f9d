/** Runs `writers` loops that share `count` turns; resolves with the duration in ms. */
export async function timedTurns(
  count: number,
  writers: number,
  turn: (index: number, writer: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const write = async (writer: number): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await turn(index, writer);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return performance.now() - began;
}

/** Makes a sequence of pseudo-random numbers, which is the same in every run. */
export function pseudoRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Asks with each text, one after the other, and returns how long each answer took, in ms.
 * @param warmUp the number of texts that are asked before, without a measurement
 */
export async function timed(
  texts: readonly string[],
  ask: (text: string) => Promise<unknown>,
  warmUp = 5,
): Promise<number[]> {
  for (const text of texts.slice(0, warmUp)) await ask(text);
  const sample: number[] = [];
  for (const text of texts) {
    const began = performance.now();
    await ask(text);
    sample.push(performance.now() - began);
  }
  return sample;
}
