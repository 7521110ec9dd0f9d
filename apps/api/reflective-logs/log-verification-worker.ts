import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { Postgres } from '#read-model/postgres.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { SharedRun } from '../integrity/shared-run.js';
import { VerificationWorker } from '../integrity/verification-worker.js';
import { LogVerification } from './log-verification.js';

/** Verifies the ReflectiveLogs at regular intervals (SPEC L5). */
@Injectable()
export class LogVerificationWorker extends VerificationWorker {
  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: Logger,
    verification: LogVerification,
    postgres: Postgres,
  ) {
    const shared = new SharedRun<object>(postgres, 'reflective_logs');
    super(logger, {
      everyMinutes: config.verifyLogsMinutes,
      run: async (dueAfterMs, stopping) => {
        const held = await shared.begin(() => ({}), { dueAfterMs });
        if (held === undefined) return undefined;
        try {
          const { checked, intact } = await verification.run();
          await held.end();
          return { checked, intact };
        } catch (cause) {
          await held.fail(stopping);
          throw cause;
        }
      },
      verified: 'reflective_logs_verified',
      unverified: 'reflective_logs_unverified',
      subject: 'ReflectiveLogs',
    });
  }
}
