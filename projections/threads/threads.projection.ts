import { threadDecider } from '#domain/thread/thread.decider.js';
import { isSealed } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { privateOwner } from '#domain/ownership/private-owner.js';
import type { CheckpointPut, ThreadEvent, ThreadName } from '#domain/thread/events.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { CHECKPOINT, type StoredCheckpoint, type StoredThread, THREAD } from './tables.js';

/** Which checkpoints each thread has, by owner, namespace and metadata. */
@Projector({
  name: 'threads',
  version: 3,
  tables: [THREAD, CHECKPOINT],
  reads: [threadDecider],
})
export class ThreadsProjection implements EventProjector<ThreadEvent> {
  async project(tx: ProjectionTransaction, events: readonly Logged<ThreadEvent>[]): Promise<void> {
    const threads = await this.knownThreads(tx, events);
    const visible = await this.visibleCheckpoints(tx, events);
    const added: StoredThread[] = [];
    const changed = new Map<string, StoredCheckpoint>();
    for (const event of events) {
      const known = threads.get(event.stream);
      const thread = known ?? threadOf(event);
      if (known === undefined) added.push(thread);
      threads.set(event.stream, thread);
      let first_position = String(event.position);
      for (const hidden of hiddenBy(event, visible)) {
        if (event.type === 'checkpoint_put') ({ first_position } = hidden);
        const row = { ...hidden, hidden_number: event.number };
        visible.delete(placeOf(hidden));
        changed.set(placeOf(row), row);
      }
      if (event.type !== 'checkpoint_put') continue;
      const row = checkpointOf({ ...thread, first_position }, event.number, event.data);
      visible.set(placeOf(row), row);
      changed.set(placeOf(row), row);
    }
    await THREAD.insert(tx, added);
    await CHECKPOINT.replace(tx, [...changed.values()]);
  }

  private async knownThreads(
    tx: ProjectionTransaction,
    events: readonly Logged<ThreadEvent>[],
  ): Promise<Map<string, StoredThread>> {
    const streams = [...new Set(events.map(({ stream }) => stream))];
    const rows = await THREAD.find(tx, 'thread_stream = any($1::text[])', [streams]);
    return new Map(rows.map((row) => [row.thread_stream, row]));
  }

  /** Returns the visible checkpoints that these events can hide. */
  private async visibleCheckpoints(
    tx: ProjectionTransaction,
    events: readonly Logged<ThreadEvent>[],
  ): Promise<Map<string, StoredCheckpoint>> {
    const ids = events.flatMap((event) =>
      event.type === 'checkpoint_put' ? [event.data.checkpoint_id] : [],
    );
    const deleted = events.flatMap(({ type, stream }) => (type === 'thread_deleted' ? stream : []));
    const rows = await CHECKPOINT.find(
      tx,
      `hidden_number is null and thread_stream = any($1::text[])
        and (checkpoint_id = any($2::text[]) or thread_stream = any($3::text[]))`,
      [[...new Set(events.map(({ stream }) => stream))], ids, deleted],
    );
    return new Map(rows.map((row) => [placeOf(row), row]));
  }
}

const placeOf = ({ thread_stream, put_number }: StoredCheckpoint): string =>
  `${thread_stream} ${put_number}`;

/** Returns the checkpoints that an event hides: those that a deletion reaches, or the earlier one with the same id. */
function hiddenBy(
  event: Logged<ThreadEvent>,
  visible: ReadonlyMap<string, StoredCheckpoint>,
): StoredCheckpoint[] {
  if (event.type === 'writes_put') return [];
  return [...visible.values()].filter(
    ({ thread_stream, checkpoint_id, put_number }) =>
      thread_stream === event.stream &&
      (event.type === 'thread_deleted'
        ? put_number <= (event.data.up_to ?? event.number)
        : checkpoint_id === event.data.checkpoint_id),
  );
}

function threadOf(event: Logged<ThreadEvent>): StoredThread {
  const named: ThreadName | undefined =
    event.type === 'thread_deleted' ? undefined : event.data.thread;
  if (named === undefined) throw new Error('a thread has an event before the one that names it');
  const { thread_id, namespace } = named;
  return { thread_stream: event.stream, owner: privateOwner(named.owner), thread_id, namespace };
}

const checkpointOf = (
  thread: StoredThread & Pick<StoredCheckpoint, 'first_position'>,
  put_number: number,
  { checkpoint_id, metadata }: CheckpointPut,
): StoredCheckpoint => ({
  ...thread,
  put_number,
  checkpoint_id,
  metadata: isSealed(metadata) || metadata.large === true ? null : (metadata.value as JsonObject),
  hidden_number: null,
});
