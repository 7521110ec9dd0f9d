import { BackgroundLoop } from '#platform/background-loop.js';
import { Lease } from '#read-model/lease.js';
import type { Postgres } from '#read-model/postgres.js';
import type { SameLog } from './same-log.js';

interface Leased {
  readonly postgres: Postgres;
  /** The name of the lease. */
  readonly name: string;
  readonly sameLog: SameLog;
  /** The pause in ms before it looks again whether this instance does the work. */
  readonly lookEveryMs: number;
}

/**
 * Repeats work that the read models list, on one instance at a time. It waits while the rows may be those of another log,
 * because they would name streams and events that this log does not have.
 */
export class LeasedLoop {
  private readonly loop: BackgroundLoop;
  private readonly lease: Lease;

  /** @param round returns the pause before the next round in ms, as that of a `BackgroundLoop` does */
  constructor(
    { postgres, name, sameLog, lookEveryMs }: Leased,
    round: (signal: AbortSignal) => Promise<number>,
  ) {
    this.lease = new Lease(postgres, name);
    this.loop = new BackgroundLoop(async (signal) =>
      (await this.lease.isHeld()) && (await sameLog.isConfirmed()) ? round(signal) : lookEveryMs,
    );
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves after the current round has ended, and lets another instance do the work. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.lease.release();
  }
}
