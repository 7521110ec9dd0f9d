import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { DamagedEvent, EventStoreUnavailable } from '#event-store/event-store.js';
import { LeaderLocks } from './leader-locks.js';
import { Leadership, type LeadershipOptions } from './leadership.js';
import { isDiskFull, isPassing } from './postgres-unavailable.js';
import { recordPoison } from './projection-records.js';
import type { Projection } from './projection.js';
import { liveSchema, migrateSchemas, OwnershipLost, schemaState } from './schema-layout.js';
import { type PoisonEvent, ProjectionFailed, reasonOf } from './slice-writer.js';

/** The failures in a row, at the same place, after which a projection counts as stopped. */
const FAILURES_TO_STOP = 3;
/** The time until a stopped projection is tried again, in ms. */
const RETRY_MS = 30_000;

interface Failures {
  /** Where and how it failed. */
  readonly place: string;
  readonly times: number;
  /** The time of the next try, on the monotonic clock; undefined until the projection counts as stopped. */
  readonly retryAt: number | undefined;
}

/**
 * The projections that fail again and again at the same place although both servers answer. Each is left out
 * until its next try, so that the others go on.
 */
class StoppedProjections {
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly retryMs = RETRY_MS) {}

  /** Notes a failure of a projection. Returns true if the projection is stopped. */
  note(name: string, place: string): boolean {
    const before = this.failures.get(name);
    const times = before?.place === place ? before.times + 1 : 1;
    const isStopped = times >= FAILURES_TO_STOP;
    const retryAt = isStopped ? performance.now() + this.retryMs : undefined;
    this.failures.set(name, { place, times, retryAt });
    return isStopped;
  }

  /** True until the next try of a stopped projection. @param now on the monotonic clock */
  has(name: string, now: number): boolean {
    return (this.failures.get(name)?.retryAt ?? 0) > now;
  }

  /** Returns the ms until the first of these projections is tried again; undefined if none is stopped. */
  msUntilRetry(names: readonly string[], now: number): number | undefined {
    const stopped = names.filter((name) => this.has(name, now));
    const times = stopped.map((name) => this.failures.get(name)?.retryAt ?? 0);
    return times.length === 0 ? undefined : Math.min(...times) - now;
  }
}

export interface RunnerOptions extends LeadershipOptions {
  /** True if the process was started for these read models alone; other processes leave them to it. */
  readonly isDedicated?: boolean;
  /** The time until a stopped projection is tried again, in ms; 30 s by default. */
  readonly retryStoppedMs?: number;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/** Ends a leadership whose process has to lead other read models than before. */
class OtherReadModels extends Error {}

/** Ends a leadership whose process has lost its locks. */
class LocksLost extends Error {
  override readonly name = 'LocksLost';
}

/**
 * Keeps read models up to date, each in the process that holds its lock; other processes stand by. A process projects
 * all read models that it leads from one subscription. A temporary failure (a restarted Postgres or event store, a
 * lost race for a checkpoint) ends the current leadership, and the next one starts from the checkpoints in Postgres.
 */
export class ProjectionRunner {
  private readonly stopping = new AbortController();
  private readonly process = `${hostname()}:${process.pid}`;
  private running: Promise<void> | undefined;
  private leadership: Leadership | undefined;
  private readonly stopped: StoppedProjections;
  /** The read models that the last leadership led. */
  private led: readonly Projection[] = [];

  constructor(private readonly options: RunnerOptions) {
    this.stopped = new StoppedProjections(options.retryStoppedMs);
  }

  /** Starts to try for the locks. Returns at once. */
  start(): void {
    this.running ??= this.competeUntilStopped();
  }

  /** Resolves when all writes have ended and the locks are free. */
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
        await this.noteFailure(cause);
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

  /** Stops the projections that have failed again and again at the same place while both servers answered. */
  private async noteFailure(cause: unknown): Promise<void> {
    if (isOutage(cause)) return;
    try {
      const { postgres, eventStore } = this.options;
      await Promise.all([postgres.ping(), eventStore.ping()]);
      await this.noteStops(cause);
    } catch (notNoted) {
      this.logPause(notNoted);
    }
  }

  private async noteStops(cause: unknown): Promise<void> {
    const isOwn = cause instanceof ProjectionFailed;
    const failed = isOwn ? this.led.filter(({ name }) => name === cause.projection) : this.led;
    const reason = reasonOf(isOwn ? cause.cause : cause);
    for (const { name } of failed) {
      const position = (await schemaState(this.options.postgres, liveSchema(name)))?.position ?? 0n;
      if (this.stopped.note(name, `${position} ${reason}`))
        await this.recordStop(name, { ...placeOf(cause, position), type: '', reason });
    }
  }

  private async recordStop(projection: string, stop: PoisonEvent): Promise<void> {
    const { postgres, log } = this.options;
    log.error(
      { projection, ...stop, position: stop.position.toString() },
      'A projection failed three times at the same place. It is stopped, and tried again every 30 seconds.',
    );
    await recordPoison(postgres, projection, stop);
  }

  private async leadOnce(): Promise<void> {
    const { postgres, projections, isDedicated = false } = this.options;
    const { signal } = this.stopping;
    const names = projections.map(({ name }) => name);
    const candidate = { process: this.process, names, isDedicated };
    const locks = await LeaderLocks.open(postgres, candidate);
    let lost: Error | undefined;
    locks.onLost(() => {
      lost = new LocksLost('the lock connection ended');
      this.leadership?.stop(lost);
    });
    try {
      while (!signal.aborted) {
        if (lost !== undefined) throw lost;
        await locks.untilHeld(signal);
        if (!signal.aborted) await this.lead(locks).catch((cause) => this.goOnWithout(cause));
        await locks.yield();
      }
    } finally {
      await locks.close();
    }
  }

  /** Handles the failure of one projection: the process keeps its locks, and leads the others again. */
  private async goOnWithout(cause: unknown): Promise<void> {
    if (!(cause instanceof ProjectionFailed)) throw cause;
    this.logPause(cause.cause);
    await this.noteFailure(cause);
    await delay(FIRST_BACKOFF_MS, undefined, { signal: this.stopping.signal }).catch(
      () => undefined,
    );
  }

  /** Leads the read models whose locks this process holds, until it has to lead others. */
  private async lead(locks: LeaderLocks): Promise<void> {
    const { postgres, projections, log } = this.options;
    const { held } = locks;
    // One time for both questions: a projection is led now, or a timer waits for its next try.
    const now = performance.now();
    const retry = this.stopped.msUntilRetry(held, now);
    this.led = projections.filter(
      ({ name }) => held.includes(name) && !this.stopped.has(name, now),
    );
    const leadership = new Leadership({ ...this.options, projections: this.led });
    const ended = new AbortController();
    if (retry !== undefined)
      delay(retry, undefined, { signal: ended.signal }).then(
        () => leadership.stop(new OtherReadModels()),
        () => undefined,
      );
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

const isOutage = (cause: unknown): boolean =>
  isPassing(cause) ||
  cause instanceof OwnershipLost ||
  cause instanceof LocksLost ||
  (cause instanceof EventStoreUnavailable && !(cause instanceof DamagedEvent));

/** Returns the damaged event at which all projections stop, or else the position of the read model. */
const placeOf = (cause: unknown, position: bigint) =>
  cause instanceof DamagedEvent
    ? { stream: '$all', number: 0, ...cause.event, position: cause.position }
    : { stream: '$all', number: 0, position };

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
