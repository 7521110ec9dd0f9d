/**
 * Runs the work for one key in the order of the calls, one piece at a time. Work for different keys runs
 * concurrently.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(key);
    const current = previous === undefined ? work() : previous.then(work, work);
    this.#last.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(key) === current) this.#last.delete(key);
    }
  }
}
