/**
 * The time limit of one attempt. Its signal aborts when the time is up or when the caller's signal
 * aborts. It has its own timer, because signals from AbortSignal.timeout and AbortSignal.any can be
 * garbage-collected, and then never abort.
 */
export class AttemptLimit {
  readonly #controller = new AbortController();
  readonly #giveUp = (): void => this.#controller.abort(this.#caller?.reason);
  readonly #timeUp = (): void =>
    this.#controller.abort(new Error(`no answer within ${this.#timeoutMs} ms`));
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout>;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    this.#timer = setTimeout(this.#timeUp, timeoutMs);
    if (caller?.aborted) this.#giveUp();
    caller?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the clock, for example while the caller works on a piece of the answer. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Gives the attempt the whole time again. */
  restart(): void {
    this.pause();
    this.#timer = setTimeout(this.#timeUp, this.#timeoutMs);
  }

  end(): void {
    this.pause();
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }
}
