/** Runs work for one key one at a time, in the order of the calls. Different keys run concurrently. */
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
