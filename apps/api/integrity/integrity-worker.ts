import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { IntegrityVerification } from './integrity-verification.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { VerificationWorker } from './verification-worker.js';

/** Verifies the event log at regular intervals (SPEC I6). */
@Injectable()
export class IntegrityWorker extends VerificationWorker {
  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: Logger,
    verification: IntegrityVerification,
  ) {
    super(logger, {
      everyMinutes: config.verifyEventLogMinutes,
      run: async (dueAfterMs) => {
        const due = await verification.startIfDue(dueAfterMs);
        if (due === undefined) return undefined;
        const { events, streams, found } = await due.finished;
        return { events, streams, found };
      },
      verified: 'event_log_verified',
      unverified: 'event_log_unverified',
      subject: 'event log',
    });
  }
}
