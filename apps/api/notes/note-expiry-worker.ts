import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import type { EventStore } from '#event-store/event-store.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import { NoteQueries } from '#projections/notes/queries.js';
import { Lease } from '#read-model/lease.js';
import { Postgres } from '#read-model/postgres.js';
import { SameLog } from '../platform/same-log.js';
import type { NoteStore } from '../platform/stores.js';
import { EVENT_STORE, LOGGER, NOTE_STORE } from '../platform/tokens.js';

const LOOK_EVERY_MS = 500;
/** The pause after a round in which a note could not be expired, for example because the log is full. */
const PAUSE_MS = 5_000;
const AT_ONCE = 100;

/**
 * Records that notes have expired (SPEC N3). Reads leave an expired note out before that, so nothing waits for it. One
 * instance at a time does the work. A repeat adds nothing, because the note is gone then, and because the command's id
 * is the id of the put that set the time.
 */
@Injectable()
export class NoteExpiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop((signal) => this.round(signal));
  private readonly lease: Lease;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly queries: NoteQueries,
    private readonly sameLog: SameLog,
    postgres: Postgres,
  ) {
    this.lease = new Lease(postgres, 'note expiry');
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await this.lease.release();
  }

  private async round(signal: AbortSignal): Promise<number> {
    if (!(await this.lease.isHeld())) return LOOK_EVERY_MS;
    // The rows of another log would name notes that this log does not have.
    if (!(await this.sameLog.isConfirmed())) return LOOK_EVERY_MS;
    const now = new Date().toISOString();
    // While Postgres cannot be reached, the health check reports it.
    const due = await this.queries.due(now, AT_ONCE).catch(() => []);
    let pause = LOOK_EVERY_MS;
    for (const stream of due) {
      if (signal.aborted) break;
      if (!(await this.expire(stream, now))) pause = PAUSE_MS;
    }
    return pause;
  }

  /** Returns false if the note could not be expired now. */
  private async expire(stream: string, at: string): Promise<boolean> {
    try {
      const put = await this.eventStore.lastOf(stream);
      if (put === undefined) return true;
      const { event_id, trace_id } = put.metadata;
      const identity = identityOfStep(event_id, [stream, event_id], trace_id);
      await this.notes.execute(stream, [{ type: 'expire', at }], identity);
      return true;
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : 'unknown';
      this.logger.warn({ type: 'note_not_expired', stream, error });
      return false;
    }
  }
}
