import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '#event-store/event-store.js';
import { Ownership } from './ownership.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import { isDiskFull } from './postgres-unavailable.js';
import type { Projection } from './projection.js';
import { requestRebuild } from './projection-records.js';
import { Reign } from './reign.js';
import { migrate } from './schema-layout.js';
import { isLive, type PoisonEvent, shownBy, type Track } from './slice-writer.js';

export interface RunnerOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly projections: readonly Projection[];
  /** Learns what the read models show as soon as they do. */
  readonly watch?: PositionWatch;
  readonly log?: RunnerLog;
  /** For metrics and alarms: a projection met an event that it cannot take. */
  readonly onPoison?: (name: string, poison: PoisonEvent) => void;
  readonly onRebuildProgress?: (progress: RebuildProgress) => void;
}

/** The shape of a pino logger. */
export interface RunnerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface RebuildProgress {
  readonly name: string;
  readonly position: bigint | undefined;
  /** Where the live read model is; undefined where there is none of this version. */
  readonly target: bigint | undefined;
  /** It has taken the live one's place. */
  readonly done: boolean;
}

export interface RunnerStatus {
  /** This process holds the lock and projects. */
  readonly owner: boolean;
  /** When the owner last knew Postgres and the log to be well, in milliseconds since 1970. */
  readonly heartbeatAt: number | undefined;
  /** The log's end as of the last heartbeat. */
  readonly logEnd: bigint | undefined;
  readonly projections: readonly ProjectionStatus[];
}

export interface ProjectionStatus {
  readonly name: string;
  /** `absent`: this process does not project it now. */
  readonly state: 'running' | 'stopped' | 'absent';
  readonly position: bigint | undefined;
  /** For how long it has been behind the log's end; 0 when it has caught up. */
  readonly lagSeconds: number;
  readonly poison: PoisonEvent | undefined;
  readonly rebuilding: boolean;
}

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
const silent: RunnerLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Keeps all read models of a deployment up to date, from whichever process holds the lock; the others
 * stand by. Everything that passes by itself (a Postgres or an event store that restarts, a lost race for
 * a checkpoint) ends the current reign: the next one begins from the checkpoints as Postgres has them.
 */
export class ProjectionRunner {
  private readonly stopping = new AbortController();
  private readonly log: RunnerLog;
  private readonly process = `${hostname()}:${process.pid}`;
  private readonly behindSince = new Map<string, number>();
  private running: Promise<void> | undefined;
  private reign: Reign | undefined;
  private heartbeatAt: number | undefined;
  private logEnd: bigint | undefined;

  constructor(private readonly options: RunnerOptions) {
    this.log = options.log ?? silent;
  }

  /** Begins to compete for ownership; returns at once. */
  start(): void {
    this.running ??= this.competeUntilStopped();
  }

  /** Returns when nothing is written any more and the lock is free. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.reign?.stop(new Error('stopped'));
    await this.running;
  }

  /**
   * Asks the owner, whichever process it is, to rebuild a read model beside the live one (SPEC X5).
   * Resolves when the wish is recorded: false when there is no such read model.
   */
  async rebuild(name: string): Promise<boolean> {
    return requestRebuild(this.options.postgres, name);
  }

  status(): RunnerStatus {
    return {
      owner: this.reign !== undefined,
      heartbeatAt: this.heartbeatAt,
      logEnd: this.logEnd,
      projections: this.options.projections.map(({ name }) => this.statusOf(name)),
    };
  }

  private statusOf(name: string): ProjectionStatus {
    const own = this.reign?.shared.filter(({ projection }) => projection.name === name) ?? [];
    const live = own.find(isLive);
    const since = this.behindSince.get(name);
    return {
      name,
      state: live === undefined ? 'absent' : live.poison ? 'stopped' : 'running',
      position: live && shownBy(live),
      lagSeconds: since === undefined ? 0 : (Date.now() - since) / 1000,
      poison: live?.poison,
      rebuilding: (this.reign?.rebuilds.has(name) ?? false) || own.some((track) => !isLive(track)),
    };
  }

  private async competeUntilStopped(): Promise<void> {
    let backoff = FIRST_BACKOFF_MS;
    while (!this.stopping.signal.aborted) {
      const began = Date.now();
      try {
        await this.reignOnce();
      } catch (cause) {
        if (this.stopping.signal.aborted) return;
        this.notePause(cause);
      }
      if (Date.now() - began > LONGEST_BACKOFF_MS) backoff = FIRST_BACKOFF_MS;
      await delay(backoff, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS);
    }
  }

  private notePause(cause: unknown): void {
    const { log } = this;
    const pause = 'Projections paused and will go on by themselves.';
    if (isDiskFull(cause)) log.error({ type: 'storage_full', server: 'postgres' }, pause);
    else log.warn({ cause: describe(cause) }, pause);
  }

  private async reignOnce(): Promise<void> {
    const { postgres, projections, eventStore } = this.options;
    const ownership = await Ownership.acquire(postgres, this.stopping.signal);
    if (ownership === undefined) return;
    try {
      await migrate(
        postgres,
        projections.map(({ name }) => name),
      );
      this.reign = new Reign({
        ...{ eventStore, postgres, projections, ownership, process: this.process },
        audience: this.options.watch,
        events: {
          moved: (tracks) => this.announce(tracks),
          heartbeat: (logEnd) => this.noteHeartbeat(logEnd),
          poisoned: (track, poison) => this.shout(track, poison),
          rebuilding: ({ projection: { name }, position }, target) =>
            this.options.onRebuildProgress?.({ name, position, target, done: false }),
          rebuilt: (name) => this.noteRebuilt(name),
        },
      });
      if (this.stopping.signal.aborted) this.reign.stop(new Error('stopped'));
      this.log.info({ process: this.process }, 'This process projects the read models.');
      await this.reign.run();
    } finally {
      this.reign = undefined;
      await ownership.release();
    }
  }

  private announce(tracks: readonly Track[]): void {
    for (const track of tracks) {
      const { projection } = track;
      const shown = shownBy(track);
      if (shown !== undefined) this.options.watch?.passed(projection.name, shown);
      if (isAtEnd(shown, this.logEnd)) this.behindSince.delete(projection.name);
    }
  }

  private noteHeartbeat(logEnd: bigint | undefined): void {
    this.logEnd = logEnd;
    this.heartbeatAt = Date.now();
    for (const { name, position } of this.status().projections) {
      if (isAtEnd(position, logEnd)) this.behindSince.delete(name);
      else if (!this.behindSince.has(name)) this.behindSince.set(name, Date.now());
    }
  }

  private noteRebuilt(name: string): void {
    const { position } = this.statusOf(name);
    this.log.info({ projection: name, position: String(position) }, 'A read model was rebuilt.');
    this.options.onRebuildProgress?.({ name, position, target: position, done: true });
  }

  private shout({ projection, schema }: Track, poison: PoisonEvent): void {
    this.log.error(
      { projection: projection.name, schema, ...poison, position: poison.position.toString() },
      'A projection stopped at an event that it cannot take.',
    );
    this.options.onPoison?.(projection.name, poison);
  }
}

const isAtEnd = (position: bigint | undefined, logEnd: bigint | undefined): boolean =>
  logEnd === undefined || (position !== undefined && position >= logEnd);

const describe = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : typeof cause;
