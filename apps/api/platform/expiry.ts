import type { Logger } from 'pino';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import { Lease } from '#read-model/lease.js';
import type { Postgres } from '#read-model/postgres.js';
import type { SameLog } from './same-log.js';

const LOOK_EVERY_MS = 500;
/** The pause after a round in which something could not be expired, for example because the log is full. */
const PAUSE_MS = 5_000;
const AT_ONCE = 100;

/** Something whose time to live has passed: a stream, or what has an id in it. */
interface Due {
  readonly stream: string;
  readonly id?: string;
}

interface ExpiryOptions<One extends Due> {
  /** What expires, for the lease and the log lines. */
  readonly what: string;
  readonly logger: Logger;
  readonly eventStore: EventStore;
  readonly sameLog: SameLog;
  readonly postgres: Postgres;
  readonly due: (at: string, limit: number) => Promise<readonly One[]>;
  readonly expire: (one: One, at: string, identity: CommandIdentity) => Promise<unknown>;
}

/**
 * Records that the time to live of something has passed. Reads leave it out before that, so nothing waits for it. One
 * instance at a time does the work. A repeat adds nothing, because the thing is gone then, and because the command's id
 * is made from the stream's last event.
 */
export class Expiry<One extends Due> {
  private readonly loop = new BackgroundLoop((signal) => this.round(signal));
  private readonly lease: Lease;

  constructor(private readonly options: ExpiryOptions<One>) {
    this.lease = new Lease(options.postgres, `${options.what} expiry`);
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.lease.release();
  }

  private async round(signal: AbortSignal): Promise<number> {
    if (!(await this.lease.isHeld())) return LOOK_EVERY_MS;
    // The rows of another log would name streams that this log does not have.
    if (!(await this.options.sameLog.isConfirmed())) return LOOK_EVERY_MS;
    const now = new Date().toISOString();
    // While Postgres cannot be reached, the health check reports it.
    const due = await this.options.due(now, AT_ONCE).catch(() => []);
    let pause = LOOK_EVERY_MS;
    for (const one of due) {
      if (signal.aborted) break;
      if (!(await this.expire(one, now))) pause = PAUSE_MS;
    }
    return pause;
  }

  /** Returns false if it could not be expired now. */
  private async expire(one: One, at: string): Promise<boolean> {
    const { eventStore, expire, logger, what } = this.options;
    const { stream, id } = one;
    try {
      const last = await eventStore.lastOf(stream);
      if (last === undefined) return true;
      const { event_id, trace_id } = last.metadata;
      const step = id === undefined ? [stream, event_id] : [stream, event_id, id];
      await expire(one, at, identityOfStep(event_id, step, trace_id));
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : 'unknown';
      logger.warn({ type: `${what}_not_expired`, stream, error });
      return false;
    }
  }
}
