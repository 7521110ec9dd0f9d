import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#domain/errors/refusal.js';
import { laterOf } from '#read-model/later-of.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { projectionRecords, requestRebuild } from '#read-model/projection-records.js';
import { Projections } from '#read-model/projections.js';
import type { DifferentRows } from '#read-model/different-rows.js';
import { nextSchema, schemaState } from '#read-model/schema-layout.js';

/** A read model's status, as any process can read it from Postgres. */
export interface ReadModelStatus {
  readonly name: string;
  /** The commit position up to which it shows the log; undefined if it has no position yet. */
  readonly position: bigint | undefined;
  /** The poison event at which it stopped, if any. */
  readonly stopped:
    | {
        readonly position: bigint;
        readonly stream: string;
        readonly number: number;
        readonly reason: string;
      }
    | undefined;
  /** True until the read model's new tables have reached the end of the log for the first time. */
  readonly isFilling: boolean;
  readonly rebuilding: boolean;
  /** The position that a rebuild beside it has reached; undefined without one. */
  readonly rebuiltTo: bigint | undefined;
  /** Set while it is rebuilt because its rows came from another log: what the leader found. */
  readonly anotherLog: string | undefined;
  /** host:pid of the process that leads it, or led it last; undefined before its first leader. */
  readonly leader: string | undefined;
  /** Seconds since its leader's last heartbeat; undefined before the first heartbeat. */
  readonly heartbeatSecondsAgo: number | undefined;
  /** When its rows were last compared with the log, or filled from it; undefined before its first leader. */
  readonly comparedAt: Date | undefined;
  /** The rows that were not as the log gives them, and were replaced then. */
  readonly differences: readonly DifferentRows[];
}

/** The timeout of a read that waits for a position, in ms (SPEC §13). */
const TIMEOUT_MS = 2_000;

/** Reads the state of the read models from Postgres, whichever process projects them. */
@Injectable()
export class ReadModels implements OnApplicationShutdown {
  constructor(
    private readonly postgres: Postgres,
    private readonly watch: PositionWatch,
    private readonly projections: Projections,
  ) {}

  /**
   * Resolves once the named read models have passed `position`; refuses with PROJECTION_LAG after 2 s. Fails
   * with `PostgresUnavailable`.
   */
  reach(position: bigint, names: readonly string[]): Promise<void> {
    return this.watch.waitFor(names, position, TIMEOUT_MS);
  }

  /**
   * Returns the position up to which the named read models show the log; undefined if it is unknown, or if a
   * caller waits for a later position.
   */
  shown(names: readonly string[]): bigint | undefined {
    return this.watch.shown(names);
  }

  /** Asks the projector to write these read models now, for a caller that is about to wait for them. */
  hurry(names: readonly string[]): void {
    this.watch.hurry(names);
  }

  /** Waits until every read model has its tables, even without rows; false after the timeout. */
  haveTables(timeoutMs: number): Promise<boolean> {
    return this.until(() => this.exist(), timeoutMs);
  }

  /** Waits until no read model has new tables that do not show the whole log yet; false after the timeout. */
  areFilled(timeoutMs: number): Promise<boolean> {
    return this.until(() => this.isFilled(), timeoutMs);
  }

  /** Returns the status of every read model. Fails with `PostgresUnavailable`. */
  async status(): Promise<readonly ReadModelStatus[]> {
    const records = await projectionRecords(this.postgres);
    return Promise.all(
      this.projections.named().map(async ({ name, version }) => {
        const record = records.find((candidate) => candidate.name === name);
        const live = await schemaState(this.postgres, name);
        // Tables of another release are read until those of this one replace them.
        const isOfOtherRelease = live !== undefined && live.version !== version;
        const isRebuilt = (record?.rebuildRequested ?? false) || isOfOtherRelease;
        return {
          name,
          // The checkpoint may lag behind if later events do not concern the read model.
          position: laterOf(live?.position, this.watch.positionOf(name)),
          stopped: record?.poison,
          isFilling: record?.isFilling ?? false,
          rebuilding: isRebuilt || record?.anotherLog !== undefined,
          rebuiltTo: isRebuilt
            ? (await schemaState(this.postgres, nextSchema(name)))?.position
            : undefined,
          anotherLog: record?.anotherLog,
          leader: record?.leader,
          heartbeatSecondsAgo: record?.heartbeatSecondsAgo,
          comparedAt: record?.comparedAt,
          differences: record?.differences ?? [],
        };
      }),
    );
  }

  /**
   * Asks the leader to rebuild a read model beside the live one (SPEC X5). Refuses an
   * unknown name with NOT_FOUND.
   */
  async rebuild(name: string): Promise<void> {
    if (!(await requestRebuild(this.postgres, name)))
      throw new Refusal('NOT_FOUND', { what: 'read model', id: 'of this name' });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch.close();
  }

  private async until(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
    const end = Date.now() + timeoutMs;
    while (!(await isTrue())) {
      if (Date.now() > end) return false;
      await delay(20);
    }
    return true;
  }

  private async isFilled(): Promise<boolean> {
    try {
      return (await projectionRecords(this.postgres)).every(({ isFilling }) => !isFilling);
    } catch (cause) {
      if (cause instanceof PostgresUnavailable) return false;
      throw cause;
    }
  }

  private async exist(): Promise<boolean> {
    const { names } = this.projections;
    try {
      const states = await Promise.all(names.map((name) => schemaState(this.postgres, name)));
      return states.every((state) => state !== undefined);
    } catch (cause) {
      if (cause instanceof PostgresUnavailable) return false;
      throw cause;
    }
  }
}
