import { setTimeout as delay } from 'node:timers/promises';

/**
 * What the service does by itself beside its requests, in one round after another until it stops. A round
 * answers how many milliseconds lie before the next; what can fail in it, it notes itself.
 */
export class BackgroundLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /** @param round its signal is aborted when the service stops: what is under way is then cut short. */
  constructor(private readonly round: (signal: AbortSignal) => Promise<number>) {}

  /** @param pauseMs how long it is until the first round. */
  start(pauseMs = 0): void {
    this.running = this.run(pauseMs);
  }

  /** Resolves when the round that is under way has ended; no other begins. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(pauseMs: number): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = pauseMs; ;) {
      // A pause does not keep the process alive.
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      pause = await this.round(signal);
    }
  }
}
