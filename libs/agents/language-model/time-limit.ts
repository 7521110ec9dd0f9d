/**
 * A signal that aborts when an attempt's time is up or the caller's signal aborts. It uses its own timer,
 * because AbortSignal.timeout and AbortSignal.any are referenced weakly, and a collected signal never fires.
 */
export class TimeLimit {
  reached = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = (): void => this.controller.abort(this.outer.reason);

  constructor(
    timeout_ms: number,
    private readonly outer: AbortSignal,
  ) {
    outer.addEventListener('abort', this.giveUp, { once: true });
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
    this.outer.removeEventListener('abort', this.giveUp);
  }
}
