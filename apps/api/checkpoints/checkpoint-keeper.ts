import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import { CheckpointQueries } from '#projections/checkpoints/queries.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { SameLog } from '../platform/same-log.js';
import { LOGGER } from '../platform/tokens.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import { checkpointOf } from './list-checkpoints.js';

/** The pause between two rounds. A place that failed is not asked more often. */
const PAUSE_MS = 60_000;
const AT_ONCE = 20;

const BY = { actor: 'system', trace_id: 'checkpoint_keeper' };

/**
 * Asks the places again that do not keep a checkpoint yet. Each instance does so for the files that it has in its own
 * folder, which are mostly those that it has made.
 */
@Injectable()
export class CheckpointKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(async (signal) => {
    await this.round(signal).catch((cause: unknown) => this.note(cause));
    return PAUSE_MS;
  });

  constructor(
    private readonly checkpoints: CheckpointQueries,
    private readonly places: CheckpointPlaces,
    private readonly sameLog: SameLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Asks each place once that lacks a file. */
  async round(signal?: AbortSignal): Promise<void> {
    if (!(await this.sameLog.isConfirmed())) return;
    let after: string | undefined;
    do {
      const waiting = await this.checkpoints.waiting(after, AT_ONCE);
      for (const row of waiting) {
        if (signal?.aborted === true) return;
        await this.places.keepAll(checkpointOf(row), BY);
      }
      after = waiting.length < AT_ONCE ? undefined : waiting.at(-1)?.position;
    } while (after !== undefined);
  }

  private note(cause: unknown): void {
    // If a server cannot be reached, the health check reports it.
    if (cause instanceof PostgresUnavailable || cause instanceof Refusal) return;
    const error = cause instanceof Error ? cause.message : 'unknown';
    this.logger.warn({ type: 'checkpoints_not_kept', error }, 'Places could not be asked again.');
  }
}
