import type { Logger } from 'pino';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { lasting } from '#event-store/lasting.js';
import { identifyLog, logIdOf } from '#event-store/log-id.js';
import { type Checkpoint, type CheckpointEvent, hashOf } from './checkpoint.js';
import type { PositionWatch } from './position-watch.js';
import type { Postgres } from './postgres.js';
import type { Projection } from './projection.js';
import { recordCaughtUp } from './projection-records.js';
import {
  checkpointOf,
  emptySchemas,
  type Filling,
  liveSchema,
  nextSchema,
} from './schema-layout.js';

/**
 * Compares the log's id with the one that each of these read models is made from, and then their
 * checkpoints, live or being filled, with the log. Returns a sentence if the rows were made from another
 * log, such as the log from before a backup was restored; undefined if they were made from this one.
 */
export async function findOtherLog(
  eventStore: EventStore,
  postgres: Postgres,
  names: readonly string[],
): Promise<string | undefined> {
  const projected = await projectedLogIds(postgres, names);
  const id = projected.size === 0 ? undefined : await logIdOf(eventStore);
  for (const [name, logId] of projected)
    if (logId !== id)
      return `The read model ${name} is made from the log ${logId}, and this is ${id === undefined ? 'a log without an id' : `the log ${id}`}.`;
  for (const schema of names.flatMap((name) => [liveSchema(name), nextSchema(name)])) {
    const checkpoint = await checkpointOf(postgres, schema);
    const difference = checkpoint && (await differenceFrom(eventStore, checkpoint));
    if (difference !== undefined) return `The checkpoint of ${schema} ${difference}.`;
  }
  return undefined;
}

async function differenceFrom(
  eventStore: EventStore,
  { position, event }: Checkpoint,
): Promise<string | undefined> {
  if (event !== undefined && (await holds(eventStore, event))) return undefined;
  // The position of the event is compared, because a checkpoint can be later than the last event: the
  // server also moves it past its own `$` streams.
  const last = event?.position ?? position;
  const end = await eventStore.lastPosition();
  if (end === undefined) return `is at position ${last}, and the log is empty`;
  if (last > end) return `is at position ${last}, and the log ends at position ${end}`;
  return event && `is at position ${last}, and the log has another event there`;
}

async function holds(eventStore: EventStore, event: CheckpointEvent): Promise<boolean> {
  const { stream, number, position, hash } = event;
  for await (const found of eventStore.readStream(stream, { from: number, limit: 1 }))
    return found.position === position && hashOf(found) === hash;
  return false;
}

/** Returns the id of the log from which each of these read models is made, if it is known. */
async function projectedLogIds(
  postgres: Postgres,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [found] = await postgres.query<{ exists: boolean }>(
    `select to_regclass('read_models.projection') is not null as exists`,
  );
  if (!found?.exists) return new Map();
  const rows = await postgres.query<{ name: string; log_id: string }>(
    `select name, log_id from read_models.projection
     where name = any($1) and log_id is not null order by name`,
    [names],
  );
  return new Map(rows.map(({ name, log_id }) => [name, log_id]));
}

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
    if (logId === undefined) return;
    await this.options.postgres.query(
      `update read_models.projection set log_id = $2
       where name = any($1) and log_id is distinct from $2`,
      [this.names, logId],
    );
  }

  private get names(): readonly string[] {
    return this.options.projections.map(({ name }) => name);
  }

  private find(): Promise<string | undefined> {
    const { eventStore, postgres } = this.options;
    return lasting(() => findOtherLog(eventStore, postgres, this.names));
  }
}
