import type { EventStore } from '#event-store/event-store.js';
import { logIdOf } from '#event-store/log-id.js';
import { type Checkpoint, type CheckpointEvent, hashOf } from './checkpoint.js';
import type { Postgres } from './postgres.js';
import { projectedLogIds } from './projected-log.js';
import { checkpointOf, liveSchema, nextSchema } from './schema-layout.js';

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
