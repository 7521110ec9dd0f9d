import type { Logger } from 'pino';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { lasting } from '#event-store/lasting.js';
import { identifyLog } from '#event-store/log-id.js';
import { findOtherLog } from './other-log.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import type { Projection } from './projection.js';
import { recordLogId } from './projected-log.js';
import { recordCaughtUp } from './projection-records.js';
import { emptySchemas, type Filling } from './schema-layout.js';

interface OtherLogGuardOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly projections: readonly Projection[];
  readonly watch?: PositionWatch;
  readonly log: Logger;
}

/**
 * The leader's check that the read models in Postgres were made from this log. An operator who restores a
 * backup of only one of the two servers brings together a log and read models that differ.
 */
export class OtherLogGuard {
  private mustCompare = false;

  constructor(private readonly options: OtherLogGuardOptions) {}

  /**
   * Empties the leader's read models if they were made from another log; the leader of each other read model
   * finds the same. The leader then fills them from the log's beginning. It does not rebuild them beside the
   * old rows, because nobody may read the old rows.
   */
  async emptyIfOfOtherLog(): Promise<void> {
    const logId = await this.identify();
    const finding = await this.find();
    if (finding === undefined) return this.recordLog(logId);
    const { postgres, projections, watch, log } = this.options;
    log.fatal(
      { type: 'another_log', finding, projections: this.names },
      'These read models were made from another log. They are emptied and rebuilt from this log.',
    );
    await emptySchemas(postgres, projections, { finding, logId });
    for (const { name } of projections) watch?.emptied(name);
  }

  /** Fails if the log was replaced under the running leader. The next leader empties the read models. */
  async requireSameLog(): Promise<void> {
    const finding = await this.find();
    if (finding !== undefined) throw new Error(`the log was replaced: ${finding}`);
  }

  /** Notes that the event store was away, so that the next `checkAfterInterruption` compares again. */
  noteInterruption(): void {
    this.mustCompare = true;
  }

  async checkAfterInterruption(): Promise<void> {
    if (!this.mustCompare) return;
    try {
      const logId = await this.identify();
      await this.requireSameLog();
      await this.recordLog(logId);
    } catch (cause) {
      // The subscription connects again by itself, so the next heartbeat repeats the check.
      if (!(cause instanceof EventStoreUnavailable)) throw cause;
      this.mustCompare = true;
    }
  }

  /** Records that these read models show the log up to its end, so that they count as rebuilt. */
  async caughtUp(live: readonly Filling[]): Promise<void> {
    const { postgres, log } = this.options;
    const names = live.map(({ projection }) => projection.name);
    const rebuilt = await recordCaughtUp(postgres, names);
    if (rebuilt.length === 0) return;
    log.warn(
      { type: 'another_log_rebuilt', projections: rebuilt },
      'The read models were rebuilt from this log.',
    );
  }

  /** Returns the log's id; undefined if it is not known yet, and the next heartbeat asks again. */
  private async identify(): Promise<string | undefined> {
    this.mustCompare = false;
    try {
      return (await identifyLog(this.options.eventStore)).id;
    } catch (cause) {
      if (!(cause instanceof EventStoreUnavailable)) throw cause;
      this.mustCompare = true;
      return undefined;
    }
  }

  private async recordLog(logId: string | undefined): Promise<void> {
    if (logId !== undefined) await recordLogId(this.options.postgres, this.names, logId);
  }

  private get names(): readonly string[] {
    return this.options.projections.map(({ name }) => name);
  }

  private find(): Promise<string | undefined> {
    const { eventStore, postgres } = this.options;
    return lasting(() => findOtherLog(eventStore, postgres, this.names));
  }
}
