import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceConfig } from '../platform/config/service-config.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { LogVerification } from './log-verification.js';

const MINUTE_MS = 60_000;

/** Runs the verification every so often, by itself (SPEC L5). */
@Injectable()
export class LogVerificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly verification: LogVerification,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.verifyLogsMinutes > 0) this.running = this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      const pause = this.config.verifyLogsMinutes * MINUTE_MS;
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.verification.run().then(
        ({ checked, intact }) =>
          this.logger.info({ type: 'reflective_logs_verified', checked, intact }),
        (cause: unknown) =>
          this.logger.warn(
            { type: 'reflective_logs_unverified', error: (cause as Error).name },
            'The ReflectiveLogs could not be verified now.',
          ),
      );
    }
  }
}
