/** Counts what the import leaves out of a run, by the reason. */
export class LeftOut {
  readonly #counts: Map<string, number>;

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts);
  }

  /** @param reason what is left out, in the singular, and why */
  add(reason: string, times = 1): void {
    if (times > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + times);
  }

  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
