import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import { AdvisoryLock } from './advisory-lock.js';
import { Leadership } from './leadership.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import { isDiskFull } from './postgres-unavailable.js';
import type { Projection } from './projection.js';
import { migrate } from './schema-layout.js';

export interface RunnerOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly projections: readonly Projection[];
  /** The callers that wait in this process. The runner reports its progress to them at once. */
  readonly watch?: PositionWatch;
  readonly log: Logger;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Keeps all read models of a deployment up to date, in the process that holds the lock; other processes
 * stand by. A temporary failure (a restarted Postgres or event store, a lost race for a checkpoint) ends
 * the current leadership, and the next one starts from the checkpoints in Postgres.
 */
export class ProjectionRunner {
  private readonly stopping = new AbortController();
  private readonly process = `${hostname()}:${process.pid}`;
  private running: Promise<void> | undefined;
  private leadership: Leadership | undefined;

  constructor(private readonly options: RunnerOptions) {}

  /** Starts to try for the lock. Returns at once. */
  start(): void {
    this.running ??= this.competeUntilStopped();
  }

  /** Resolves when all writes have ended and the lock is free. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.leadership?.stop(new Error('stopped'));
    await this.running;
  }

  private async competeUntilStopped(): Promise<void> {
    let backoff = FIRST_BACKOFF_MS;
    while (!this.stopping.signal.aborted) {
      const startedAt = Date.now();
      try {
        await this.leadOnce();
      } catch (cause) {
        if (this.stopping.signal.aborted) return;
        this.logPause(cause);
      }
      if (Date.now() - startedAt > MAX_BACKOFF_MS) backoff = FIRST_BACKOFF_MS;
      await delay(backoff, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
    }
  }

  private logPause(cause: unknown): void {
    const { log } = this.options;
    const pause = 'Projections paused; they resume automatically.';
    if (isDiskFull(cause)) log.error({ type: 'storage_full', server: 'postgres' }, pause);
    else log.warn({ cause: describe(cause) }, pause);
  }

  private async leadOnce(): Promise<void> {
    const { postgres, projections, log } = this.options;
    const lock = await AdvisoryLock.acquire(postgres, this.stopping.signal);
    if (lock === undefined) return;
    try {
      await migrate(
        postgres,
        projections.map(({ name }) => name),
      );
      this.leadership = new Leadership({ ...this.options, lock, process: this.process });
      if (this.stopping.signal.aborted) this.leadership.stop(new Error('stopped'));
      log.info({ process: this.process }, 'This process projects the read models.');
      await this.leadership.run();
    } finally {
      this.leadership = undefined;
      await lock.release();
    }
  }
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
