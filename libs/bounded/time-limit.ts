/**
 * A signal that aborts when the time of an attempt is up or when the caller's signal aborts. It has its own timer,
 * because signals from AbortSignal.timeout and AbortSignal.any can be garbage-collected, and then never abort.
 */
export class TimeLimit {
  reached = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = (): void => this.controller.abort(this.outer?.reason);

  constructor(
    timeout_ms: number,
    private readonly outer?: AbortSignal,
  ) {
    outer?.addEventListener('abort', this.giveUp, { once: true });
    if (outer?.aborted === true) this.giveUp();
    this.timer = setTimeout(() => {
      this.reached = true;
      this.controller.abort(new Error('the time of an attempt is up'));
    }, timeout_ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.giveUp);
  }
}
