/** The failures in a row, at the same place, after which a projection counts as stopped. */
const FAILURES_TO_STOP = 3;
/** The time until a stopped projection is tried again, in ms. */
const RETRY_MS = 30_000;

interface Failures {
  /** Where and how it failed. */
  readonly place: string;
  readonly times: number;
  /** The time of the next try, on the monotonic clock; undefined until the projection counts as stopped. */
  readonly retryAt: number | undefined;
}

/**
 * The projections that fail again and again at the same place although both servers answer. Each is left out
 * until its next try, so that the others go on.
 */
export class StoppedProjections {
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly retryMs = RETRY_MS) {}

  /** Notes a failure of a projection. Returns true if the projection is stopped. */
  note(name: string, place: string): boolean {
    const before = this.failures.get(name);
    const times = before?.place === place ? before.times + 1 : 1;
    const isStopped = times >= FAILURES_TO_STOP;
    const retryAt = isStopped ? performance.now() + this.retryMs : undefined;
    this.failures.set(name, { place, times, retryAt });
    return isStopped;
  }

  /** True until the next try of a stopped projection. @param now on the monotonic clock */
  has(name: string, now: number): boolean {
    return (this.failures.get(name)?.retryAt ?? 0) > now;
  }

  /** Returns the ms until the first of these projections is tried again; undefined if none is stopped. */
  msUntilRetry(names: readonly string[], now: number): number | undefined {
    const stopped = names.filter((name) => this.has(name, now));
    const times = stopped.map((name) => this.failures.get(name)?.retryAt ?? 0);
    return times.length === 0 ? undefined : Math.min(...times) - now;
  }
}
