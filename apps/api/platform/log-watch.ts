import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { lasting } from '#event-store/lasting.js';
import { identifyLog, logIdOf } from '#event-store/log-id.js';
import { keepLogId } from '#platform/config/log-id-file.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { LogReplaced } from '#platform/start/log-replaced.js';
import { CONFIG, EVENT_STORE_CONNECTION, LOGGER } from '#platform/tokens.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import { OwnWrites } from './http/own-writes.js';
import { StreamNames } from './stream-names.js';

const LOOK_EVERY_MS = 500;

/**
 * Checks that the event store holds the log to which this installation's keys belong, and that it is still
 * the same log whenever the connection was lost.
 */
@Injectable()
export class LogWatch implements OnApplicationShutdown {
  /** Rejects with `BadConfig` or `LogReplaced`, after which the service must end; it never resolves. */
  readonly failed: Promise<never>;
  private fail: (cause: unknown) => void = () => undefined;
  private readonly loop = new BackgroundLoop(() => this.round());
  private logId: string | undefined;
  /** The epoch of the event store in which the log was last compared. */
  private comparedIn: number | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    private readonly ownWrites: OwnWrites,
    private readonly streamNames: StreamNames,
  ) {
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
  }

  /**
   * Compares the log with the keys, and begins to watch it. Fails with `BadConfig` if the keys belong to
   * another log, or do not open its naming key. If the event store cannot be reached, the comparison follows later.
   */
  async start(): Promise<void> {
    await this.compare();
    this.loop.start(LOOK_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    try {
      await this.compare();
    } catch (cause) {
      this.fail(cause);
    }
    return LOOK_EVERY_MS;
  }

  private async compare(): Promise<void> {
    const { epoch } = this.eventStore;
    if (this.comparedIn === epoch) return;
    try {
      if (this.logId === undefined) await this.identify();
      else await this.requireSame(this.logId);
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable) return;
      throw cause;
    }
    this.comparedIn = epoch;
  }

  private async identify(): Promise<void> {
    const log = await identifyLog(this.eventStore);
    const outcome = await keepLogId(this.config.dataDir, log);
    if (outcome.kind === 'replaced')
      this.logger.warn(
        { type: 'log_id_replaced', before: outcome.before, log_id: log.id },
        'The log had no id and got one; the keys belonged to another log before.',
      );
    await this.streamNames.open();
    this.logId = log.id;
  }

  private async requireSame(logId: string): Promise<void> {
    const difference = await lasting(() => this.differenceFrom(logId));
    if (difference !== undefined) throw new LogReplaced(difference);
  }

  /** Returns a difference that a lagging node also shows. @throws LogReplaced */
  private async differenceFrom(logId: string): Promise<string | undefined> {
    const id = await logIdOf(this.eventStore);
    if (id === undefined) return `it is a log without an id, and was the log ${logId}`;
    // No node of a cluster has another id, however far it lags behind.
    if (id !== logId) throw new LogReplaced(`it is the log ${id}, and was the log ${logId}`);
    // The answer leaves out what is appended while it is on its way.
    const appended = this.ownWrites.end;
    const end = (await this.eventStore.lastPosition()) ?? 0n;
    if (end >= appended) return undefined;
    return `it ends at position ${end}, and this process has appended up to position ${appended}`;
  }
}
