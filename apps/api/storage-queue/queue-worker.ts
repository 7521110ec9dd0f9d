import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import { Metrics } from '../platform/health/metrics.js';
import { LOGGER } from '../platform/tokens.js';
import { isPassing, Replay } from './replay.js';
import { StorageQueue } from './storage-queue.js';

const LOOK_EVERY_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Replays the entries that need no person's decision, in the order of their refusal (SPEC F2). */
@Injectable()
export class QueueWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop((signal) => this.round(signal));
  private pause = LOOK_EVERY_MS;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: StorageQueue,
    private readonly replay: Replay,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async round(signal: AbortSignal): Promise<number> {
    const isBlocked = await this.pass(signal).catch((cause: unknown) => this.note(cause));
    this.pause = isBlocked ? Math.min(this.pause * 2, MAX_PAUSE_MS) : LOOK_EVERY_MS;
    return this.pause;
  }

  /** Replays until no entry is left; returns true if the log is still full. */
  private async pass(signal: AbortSignal): Promise<boolean> {
    await this.queue.drainFile();
    this.metrics.waitingWrites.set(await this.queue.count());
    const { table } = this.queue;
    while (!signal.aborted) {
      const write = await table.leaseNext();
      if (write === undefined) return false;
      const refusal = await this.replay.of(write);
      if (refusal === undefined) continue;
      const { command_id, command } = write;
      await table.giveBack(command_id, refusal.code, !isPassing(refusal));
      if (isPassing(refusal)) return true;
      this.logger.warn({ type: 'refused_write_stays', command_id, command, code: refusal.code });
    }
    return false;
  }

  /**
   * Handles an error of the queue. If Postgres cannot be reached, nothing is logged, because the health
   * check reports it.
   */
  private note(cause: unknown): boolean {
    if (!(cause instanceof PostgresUnavailable))
      this.logger.error({ type: 'queue_failed', error: (cause as Error).name });
    return true;
  }
}
