import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { BackgroundLoop } from '#platform/background-loop.js';

const MINUTE_MS = 60_000;

export interface RegularVerification {
  /** The pause in minutes before each run; 0 disables the runs. */
  readonly everyMinutes: number;
  /** Runs the verification once, and returns the fields of its log line. */
  readonly run: () => Promise<object>;
  /** The types of the log lines after a run that ended and after one that failed. */
  readonly verified: string;
  readonly unverified: string;
  /** The log line of a failed run names the subject, such as "event log". */
  readonly subject: string;
}

/** Runs a verification at regular intervals while the service runs, and logs each outcome (SPEC L5, I6). */
export abstract class VerificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(() => this.round());
  private readonly pause: number;

  protected constructor(
    private readonly logger: Logger,
    private readonly verification: RegularVerification,
  ) {
    this.pause = verification.everyMinutes * MINUTE_MS;
  }

  onApplicationBootstrap(): void {
    if (this.pause > 0) this.loop.start(this.pause);
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    const { run, verified, unverified, subject } = this.verification;
    await run().then(
      (result) => this.logger.info({ type: verified, ...result }),
      (cause: unknown) =>
        this.logger.warn(
          { type: unverified, error: (cause as Error).name },
          `The verification of the ${subject} failed and will be tried again.`,
        ),
    );
    return this.pause;
  }
}
