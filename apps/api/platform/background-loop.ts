import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs background work in rounds until the service stops. A round returns the pause before the next one in
 * ms, and handles its own failures.
 */
export class BackgroundLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** @param round its signal aborts when the service stops, to cut the current work short. */
  constructor(private readonly round: (signal: AbortSignal) => Promise<number>) {}

  /** @param pauseMs the pause before the first round, in ms. */
  start(pauseMs = 0): void {
    this.running = this.run(pauseMs);
  }

  /** Resolves after the current round has ended; no other round starts. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(pauseMs: number): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = pauseMs; ;) {
      // The pause does not keep the process alive.
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      pause = await this.round(signal);
    }
  }
}
