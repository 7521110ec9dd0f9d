import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { hashJson } from '#domain/determinism/hash.js';
import { checkpointStream, isCheckpointStream } from '#domain/stream-names.js';
import { type EventStore, NoSuchPosition } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CheckpointQueries } from '#projections/checkpoints/queries.js';
import { VerificationWorker } from '../integrity/verification-worker.js';
import { CONFIG, EVENT_STORE, LOGGER } from '../platform/tokens.js';
import { CheckpointMaking } from './checkpoint-making.js';
import type { CheckpointRunDto } from './checkpoint-view.js';

/** Makes checkpoints at regular intervals, on one of the instances, while the log grows (SPEC I6). */
@Injectable()
export class CheckpointSchedule extends VerificationWorker {
  constructor(
    @Inject(CONFIG) config: ServiceConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly checkpoints: CheckpointQueries,
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
    if (!(await this.hasGrown(stopping))) return undefined;
    const identity = {
      command_id: randomUUID(),
      body_hash: hashJson({ type: 'make' }),
      ...{ actor: 'system', trace_id: 'checkpoint_schedule' },
    };
    const stream = checkpointStream(randomUUID());
    const due = await this.making.startIfDue(stream, identity, dueAfterMs);
    return (await due?.finished)?.report;
  }

  /** True if the log has an event after the last checkpoint that is not about a checkpoint. */
  private async hasGrown(signal?: AbortSignal): Promise<boolean> {
    const [last] = await this.checkpoints.list(undefined, 1);
    if (last === undefined) return true;
    const after = BigInt(last.log_position);
    const end = await this.eventStore.lastPosition();
    try {
      for await (const page of wholeLog(this.eventStore, end, signal, after))
        if (page.some(({ stream }) => !isCheckpointStream(stream))) return true;
      return false;
    } catch (cause) {
      // The log is another one than before, such as a restored backup.
      if (cause instanceof NoSuchPosition) return true;
      throw cause;
    }
  }
}
