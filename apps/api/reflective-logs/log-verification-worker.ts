import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { VerificationWorker } from '../platform/verification-worker.js';
import { LogVerification } from './log-verification.js';

/** Verifies the ReflectiveLogs at regular intervals (SPEC L5). */
@Injectable()
export class LogVerificationWorker extends VerificationWorker {
  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: Logger,
    verification: LogVerification,
  ) {
    super(logger, {
      everyMinutes: config.verifyLogsMinutes,
      run: async () => {
        const { checked, intact } = await verification.run();
        return { checked, intact };
      },
      verified: 'reflective_logs_verified',
      unverified: 'reflective_logs_unverified',
      subject: 'ReflectiveLogs',
    });
  }
}
