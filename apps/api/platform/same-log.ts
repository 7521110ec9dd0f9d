import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { EVENT_STORE_CONNECTION } from '#platform/tokens.js';
import { findOtherLog } from '#read-model/other-log-guard.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { projectionRecords } from '#read-model/projection-records.js';
import { Projections } from '#read-model/projections.js';

const POLL_MS = 50;

/** Checks that the rows which this process reads were made from the log to which it writes. */
@Injectable()
export class SameLog {
  /** The epoch of the event store in which the rows were confirmed. */
  private confirmedIn: number | undefined;

  constructor(
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    private readonly postgres: Postgres,
    private readonly projections: Projections,
  ) {}

  /**
   * Returns true once the rows were compared with the log and belong to it. Returns false while a server
   * cannot be reached, or until the leader has emptied the read models of another log.
   */
  async isConfirmed(): Promise<boolean> {
    try {
      return await this.compare();
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable || cause instanceof PostgresUnavailable)
        return false;
      throw cause;
    }
  }

  /**
   * Waits until no row of another log is left, however long that takes. If Postgres cannot tell within
   * `timeoutMs`, or if the event store cannot be reached, it returns, and the health check reports that.
   */
  async untilConfirmed(timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      try {
        if (await this.compare()) return;
      } catch (cause) {
        if (cause instanceof EventStoreUnavailable) return;
        if (!(cause instanceof PostgresUnavailable)) throw cause;
        if (Date.now() > until) return;
      }
      await delay(POLL_MS);
    }
  }

  /** Waits until the leader has rebuilt the read models that it emptied; a stopped one cannot be rebuilt. */
  async untilRebuilt(): Promise<void> {
    while (await this.isRebuilding()) await delay(POLL_MS);
  }

  private async compare(): Promise<boolean> {
    const { eventStore, postgres, projections } = this;
    const { epoch } = eventStore;
    if (this.confirmedIn === epoch) return true;
    const finding = await findOtherLog(eventStore, postgres, projections.names);
    this.confirmedIn = finding === undefined ? epoch : undefined;
    return finding === undefined;
  }

  private async isRebuilding(): Promise<boolean> {
    try {
      const records = await projectionRecords(this.postgres);
      return records.some(({ anotherLog, poison }) => anotherLog !== undefined && !poison);
    } catch (cause) {
      // The service starts without Postgres, and the health check reports it.
      if (cause instanceof PostgresUnavailable) return false;
      throw cause;
    }
  }
}
