import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { LeasedLoop } from './leased-loop.js';
import { SameLog } from './same-log.js';
import { EVENT_STORE, LOGGER } from './tokens.js';

const LOOK_EVERY_MS = 500;
/** The pause after a round in which something could not be expired, for example because the log is full. */
const PAUSE_MS = 5_000;
const AT_ONCE = 100;

/** Something whose time to live has passed: a stream, or what has an id in it. */
interface Due {
  readonly stream: string;
  readonly id?: string;
}

/** The read model that lists what is due, the longest ago first. */
interface DueQueries<One extends Due> {
  due(at: string, limit: number): Promise<readonly One[]>;
}

interface Expiring<Store, One extends Due> {
  /** The noun for the lease's name and the log lines, such as `note`. */
  readonly what: string;
  /** The token of the aggregate store. */
  readonly store: symbol;
  readonly queries: Type<DueQueries<One>>;
  readonly expire: (
    store: Store,
    one: One,
    at: string,
    identity: CommandIdentity,
  ) => Promise<unknown>;
}

/**
 * Makes the provider that records that the time to live of something has passed (SPEC N3, W2). Reads leave it out before
 * that, so nothing waits for it. One instance at a time does the work. A repeat adds nothing, because the thing is gone
 * then, and because the command's id is made from the stream's last event.
 */
export function expiryWorker<Store, One extends Due>({
  what,
  store: storeToken,
  queries: queriesClass,
  expire,
}: Expiring<Store, One>): Type {
  @Injectable()
  class ExpiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
    private readonly loop: LeasedLoop;

    constructor(
      @Inject(LOGGER) private readonly logger: Logger,
      @Inject(EVENT_STORE) private readonly eventStore: EventStore,
      @Inject(storeToken) private readonly store: Store,
      @Inject(queriesClass) private readonly queries: DueQueries<One>,
      sameLog: SameLog,
      postgres: Postgres,
    ) {
      this.loop = new LeasedLoop(
        { postgres, name: `${what} expiry`, sameLog, lookEveryMs: LOOK_EVERY_MS },
        (signal) => this.round(signal),
      );
    }

    onApplicationBootstrap(): void {
      this.loop.start();
    }

    onModuleDestroy(): Promise<void> {
      return this.loop.stop();
    }

    private async round(signal: AbortSignal): Promise<number> {
      const now = new Date().toISOString();
      // While Postgres cannot be reached, the health check reports it.
      const due = await this.queries.due(now, AT_ONCE).catch(() => []);
      let pause = LOOK_EVERY_MS;
      for (const one of due) {
        if (signal.aborted) break;
        if (!(await this.expire(one, now))) pause = PAUSE_MS;
      }
      return pause;
    }

    /** Returns false if it could not be expired now. */
    private async expire(one: One, at: string): Promise<boolean> {
      const { stream, id } = one;
      try {
        const last = await this.eventStore.lastOf(stream);
        if (last === undefined) return true;
        const { event_id, trace_id } = last.metadata;
        const step = id === undefined ? [stream, event_id] : [stream, event_id, id];
        await expire(this.store, one, at, identityOfStep(event_id, step, trace_id));
        return true;
      } catch (cause) {
        const error = cause instanceof Error ? cause.message : 'unknown';
        this.logger.warn({ type: `${what}_not_expired`, stream, error });
        return false;
      }
    }
  }

  return ExpiryWorker;
}
