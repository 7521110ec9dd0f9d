/** The longest time that a caller waits for the result of long work, in ms. */
const PATIENCE_MS = 10_000;

/** Returns the result of work, or undefined if it takes long. Fails as the work does. */
export async function soon<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
