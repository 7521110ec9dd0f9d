import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs background work in rounds until the service stops. A round returns the pause before the next round in
 * ms, and must handle its own failures.
 */
export class BackgroundLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** @param round its signal aborts when the service stops, so that the round can end early. */
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
      // The pause must not keep the process alive.
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      pause = await this.round(signal);
    }
  }
}
