import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { hashJson } from '#domain/determinism/hash.js';
import { checkpointStream } from '#domain/stream-names.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { VerificationWorker } from '../integrity/verification-worker.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { CheckpointMaking } from './checkpoint-making.js';
import type { CheckpointRunDto } from './checkpoint-view.js';
import { LogGrowth } from './log-growth.js';

/** Makes checkpoints at regular intervals, on one of the instances, while the log grows (SPEC I6). */
@Injectable()
export class CheckpointSchedule extends VerificationWorker {
  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: Logger,
    private readonly growth: LogGrowth,
    private readonly making: CheckpointMaking,
  ) {
    super(logger, {
      everyMinutes: config.checkpoints.everyMinutes,
      run: (dueAfterMs, stopping) => this.makeIfDue(dueAfterMs, stopping),
      verified: 'checkpoint_made',
      unverified: 'checkpoint_not_made',
      subject: 'event log for a checkpoint',
    });
  }

  /** Makes a checkpoint if the log has grown, and no instance has made one for `dueAfterMs`; undefined otherwise. */
  async makeIfDue(
    dueAfterMs: number,
    stopping?: AbortSignal,
  ): Promise<CheckpointRunDto | undefined> {
    if (!(await this.growth.hasGrown(stopping))) return undefined;
    const identity = {
      command_id: randomUUID(),
      body_hash: hashJson({ type: 'make' }),
      ...{ actor: 'system', trace_id: 'checkpoint_schedule' },
    };
    const stream = checkpointStream(randomUUID());
    const due = await this.making.startIfDue(stream, identity, dueAfterMs);
    return (await due?.finished)?.report;
  }
}
