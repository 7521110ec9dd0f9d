import type { PositionWatch } from './position-watch.js';

/** The pause between two writes. It ends early when somebody in this process begins to wait for a position. */
export class Rest {
  private readonly stopListening: () => void;
  private stopped = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly watch: PositionWatch,
    private readonly longestMs: number,
  ) {
    this.stopListening = watch.onWaiting(() => this.end());
  }

  /** Resolves after `longestMs`, or when it is ended; at once while somebody waits. */
  async taken(): Promise<void> {
    if (this.stopped || this.watch.isAwaited) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.longestMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.wake();
  }

  /** No rest is taken any more. */
  stop(): void {
    this.stopped = true;
    this.stopListening();
    this.end();
  }
}
