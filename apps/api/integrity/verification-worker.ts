import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { BackgroundLoop } from '#platform/background-loop.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';

const MINUTE_MS = 60_000;
const MAX_PAUSE_MS = MINUTE_MS;

export interface RegularVerification {
  /** The pause in minutes before each run; 0 disables the runs. */
  readonly everyMinutes: number;
  /**
   * Runs the verification if no instance has run it for `dueAfterMs`, and returns the fields of its log
   * line; undefined if it was not due, or if another instance runs it. The signal aborts when the service
   * stops.
   */
  readonly run: (dueAfterMs: number, stopping: AbortSignal) => Promise<object | undefined>;
  /** The types of the log lines after a run that ended and after one that failed. */
  readonly verified: string;
  readonly unverified: string;
  /** The log line of a failed run names the subject, such as "event log". */
  readonly subject: string;
}

/**
 * Runs a verification at regular intervals, on one of the instances, and logs each outcome (SPEC L5, I6).
 * Each instance looks at least once a minute whether a run is due.
 */
export abstract class VerificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop((signal) => this.round(signal));
  private readonly dueAfterMs: number;
  private readonly pause: number;

  protected constructor(
    private readonly logger: Logger,
    private readonly verification: RegularVerification,
  ) {
    this.dueAfterMs = verification.everyMinutes * MINUTE_MS;
    this.pause = Math.min(this.dueAfterMs, MAX_PAUSE_MS);
  }

  onApplicationBootstrap(): void {
    if (this.pause > 0) this.loop.start(this.pause);
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async round(stopping: AbortSignal): Promise<number> {
    const { run, verified, unverified, subject } = this.verification;
    try {
      const result = await run(this.dueAfterMs, stopping);
      if (result !== undefined) this.logger.info({ type: verified, ...result });
    } catch (cause) {
      // If Postgres cannot be reached, the health check reports it.
      if (!(cause instanceof PostgresUnavailable))
        this.logger.warn(
          { type: unverified, error: (cause as Error).name },
          `The verification of the ${subject} failed and will be tried again.`,
        );
    }
    return this.pause;
  }
}
