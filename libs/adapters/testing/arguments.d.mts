/**
 * Calls a method with each surprise in place of each argument and of each field of one. Returns the calls that failed
 * with an error that does not name the argument, or after something was written.
 */
export function badCalls(call: {
  /** The arguments of a call that succeeds. */
  readonly whole: readonly unknown[];
  readonly call: (...given: never[]) => unknown;
  /** The position of the last write. */
  readonly position: () => unknown;
}): Promise<readonly string[]>;
