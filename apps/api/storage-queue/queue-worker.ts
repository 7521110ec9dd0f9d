import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { Metrics } from '../platform/health/metrics.js';
import { LOGGER } from '../platform/tokens.js';
import { isPassing, Replay } from './replay.js';
import { StorageQueue } from './storage-queue.js';

const LOOK_EVERY_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Replays what may be replayed without a person, in the order in which it was refused (SPEC F2). */
@Injectable()
export class QueueWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly queue: StorageQueue,
    private readonly replay: Replay,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.work();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    let pause = LOOK_EVERY_MS;
    while (!signal.aborted) {
      const isBlocked = await this.pass().catch((cause: unknown) => this.note(cause));
      pause = isBlocked ? Math.min(pause * 2, LONGEST_PAUSE_MS) : LOOK_EVERY_MS;
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Replays until nothing is left, or true if there is still no room. */
  private async pass(): Promise<boolean> {
    await this.queue.drainFile();
    this.metrics.waitingWrites.set(await this.queue.count());
    const { table } = this.queue;
    while (!this.stopping.signal.aborted) {
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

  /** An unreachable Postgres is health's to report. */
  private note(cause: unknown): boolean {
    if (!(cause instanceof PostgresUnavailable))
      this.logger.error({ type: 'queue_failed', error: (cause as Error).name });
    return true;
  }
}
