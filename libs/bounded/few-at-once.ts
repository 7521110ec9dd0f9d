/** How many values of one request are worked on at once, so that other requests have their turns. */
const AT_ONCE = 2;

/**
 * Works on values in their order, two at once, and returns the results in the same order. After an error, no further
 * value is begun.
 */
export async function fewAtOnce<Value, Result>(
  values: readonly Value[],
  work: (value: Value, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    try {
      while (next < values.length) {
        const place = next++;
        results[place] = await work(values[place]!, place);
      }
    } catch (error) {
      next = values.length;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
