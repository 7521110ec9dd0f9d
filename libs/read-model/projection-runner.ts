import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import { LeaderLocks } from './leader-locks.js';
import { Leadership } from './leadership.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import { isDiskFull } from './postgres-unavailable.js';
import type { Projection } from './projection.js';
import { migrateSchemas } from './schema-layout.js';

export interface RunnerOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly projections: readonly Projection[];
  /** True if the process was started for these read models alone; other processes leave them to it. */
  readonly isDedicated?: boolean;
  /** The callers that wait in this process. The runner reports its progress to them at once. */
  readonly watch?: PositionWatch;
  readonly log: Logger;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/** Ends a leadership whose process has to lead other read models than before. */
class OtherReadModels extends Error {}

/**
 * Keeps read models up to date, each in the process that holds its lock; other processes stand by. A process
 * projects all read models that it leads from one subscription. A temporary failure (a restarted Postgres or
 * event store, a lost race for a checkpoint) ends the current leadership, and the next one starts from the
 * checkpoints in Postgres.
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
    const { postgres, projections, isDedicated = false } = this.options;
    const { signal } = this.stopping;
    const names = projections.map(({ name }) => name);
    const candidate = { process: this.process, names, isDedicated };
    const locks = await LeaderLocks.open(postgres, candidate, signal);
    if (locks === undefined) return;
    let lost: Error | undefined;
    locks.onLost(() => {
      lost = new Error('the lock connection ended');
      this.leadership?.stop(lost);
    });
    try {
      while (!signal.aborted) {
        if (lost !== undefined) throw lost;
        await locks.untilHeld(signal);
        if (!signal.aborted) await this.lead(locks);
        await locks.yield();
      }
    } finally {
      await locks.close();
    }
  }

  /** Leads the read models whose locks this process holds, until it has to lead others. */
  private async lead(locks: LeaderLocks): Promise<void> {
    const { postgres, projections, log } = this.options;
    const { held } = locks;
    const leadership = new Leadership({
      ...this.options,
      projections: projections.filter(({ name }) => held.includes(name)),
    });
    const ended = new AbortController();
    const kept = locks.keep(ended.signal).then(
      (changed) => leadership.stop(changed ? new OtherReadModels() : new Error('ended')),
      (cause: unknown) => leadership.stop(cause as Error),
    );
    try {
      this.leadership = leadership;
      if (this.stopping.signal.aborted) leadership.stop(new Error('stopped'));
      await migrateSchemas(postgres, held);
      log.info({ process: this.process, held }, 'This process projects read models.');
      await leadership.run();
    } catch (cause) {
      if (!(cause instanceof OtherReadModels)) throw cause;
    } finally {
      this.leadership = undefined;
      ended.abort();
      await kept;
    }
  }
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
