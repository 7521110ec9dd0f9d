import { setTimeout as sleep } from 'node:timers/promises';

/** A child process that runs and answers. */
export interface RunningChild {
  readonly pid: number;
  /** Resolves when the process has ended, with a description of the cause. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 5_000;
/** A child that has run this long counts as recovered, so the next restart has the shortest delay. */
const STEADY_AFTER_MS = 30_000;

/**
 * Keeps a child process running. Whenever the child ends without being stopped, it is restarted after a
 * delay that grows.
 */
export class Supervised<Child extends RunningChild> {
  private isStopping = false;
  private readonly watching: Promise<void>;

  private constructor(
    private child: Child,
    private readonly restart: () => Promise<Child>,
    private readonly onCrash: (cause: string) => void,
  ) {
    this.watching = this.watch();
  }

  /** Starts the child; fails if the first start fails. `restart` must start it at the same address. */
  static async start<Child extends RunningChild>(
    start: () => Promise<Child>,
    restart: (first: Child) => () => Promise<Child>,
    onCrash: (cause: string) => void,
  ): Promise<Supervised<Child>> {
    const child = await start();
    return new Supervised(child, restart(child), onCrash);
  }

  get running(): Child {
    return this.child;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.child.stop();
    await this.watching;
  }

  private async watch(): Promise<void> {
    let backoff = FIRST_BACKOFF_MS;
    for (;;) {
      const since = Date.now();
      const cause = await this.child.ended;
      if (this.isStopping) return;
      this.onCrash(cause);
      if (Date.now() - since > STEADY_AFTER_MS) backoff = FIRST_BACKOFF_MS;
      for (let started = false; !started;) {
        await sleep(backoff);
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
        if (this.isStopping) return;
        started = await this.tryRestart();
      }
    }
  }

  private async tryRestart(): Promise<boolean> {
    try {
      this.child = await this.restart();
    } catch (error) {
      this.onCrash(error instanceof Error ? error.message : String(error));
      return false;
    }
    // The supervisor was stopped while the child started.
    if (this.isStopping) await this.child.stop();
    return true;
  }
}
