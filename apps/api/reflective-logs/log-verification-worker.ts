import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { BackgroundLoop } from '../platform/background-loop.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { LogVerification } from './log-verification.js';

const MINUTE_MS = 60_000;

/** Runs the verification at regular intervals (SPEC L5). */
@Injectable()
export class LogVerificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(() => this.round());

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly verification: LogVerification,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.verifyLogsMinutes > 0) this.loop.start(this.pause);
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private get pause(): number {
    return this.config.verifyLogsMinutes * MINUTE_MS;
  }

  private async round(): Promise<number> {
    await this.verification.run().then(
      ({ checked, intact }) =>
        this.logger.info({ type: 'reflective_logs_verified', checked, intact }),
      (cause: unknown) =>
        this.logger.warn(
          { type: 'reflective_logs_unverified', error: (cause as Error).name },
          'The verification of the ReflectiveLogs failed and will be tried again.',
        ),
    );
    return this.pause;
  }
}
