/**
 * Work that may be done in slices: each `yield` is a place where the caller can let other work go first. A slice
 * takes a few milliseconds at most.
 */
export type Slices<Result> = Generator<undefined, Result, undefined>;

/** Does all slices of the work now, and returns its result. */
export function finished<Result>(work: Slices<Result>): Result {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}
