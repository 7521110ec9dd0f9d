import { Inject, Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import type { JsonObject } from '#domain/json.js';
import {
  type CheckpointPut,
  type Stored,
  type ThreadEvent,
  type ThreadName,
  threadSchemas,
  type WritesPut,
} from '#domain/thread/events.js';
import type { CheckpointParts } from '#domain/thread/state.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore } from '#event-store/event-store.js';
import { readNumbered } from '#event-store/numbered-events.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { CheckpointDto, PendingWriteDto } from './thread-view.js';
import { ThreadValues } from './thread-values.js';

/** A stream with the thread that it holds. */
interface ThreadStream {
  readonly stream: string;
  readonly thread: ThreadName;
}

type EventsByNumber = ReadonlyMap<number, ThreadEvent>;
type Write = WritesPut['writes'][number];

/** Makes the views of checkpoints from their events. */
@Injectable()
export class CheckpointReads {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly values: ThreadValues,
  ) {}

  /**
   * Returns the views of some checkpoints of one stream, each with the values of all its channels and its pending
   * writes. It reads the events that are not in memory. Fails as `readNumbered` and `ThreadValues` do.
   * @param mayOpen true if the caller may see personal data
   */
  async views(
    { stream, thread }: ThreadStream,
    checkpoints: readonly CheckpointParts[],
    mayOpen: boolean,
  ): Promise<CheckpointDto[]> {
    const events = await this.eventsOf(stream, checkpoints.flatMap(missingIn));
    return fewAtOnce(checkpoints, (parts) => this.view({ stream, thread }, parts, events, mayOpen));
  }

  private async eventsOf(stream: string, numbers: readonly number[]): Promise<EventsByNumber> {
    const logged = await readNumbered(this.eventStore, stream, numbers);
    return new Map(
      [...logged].map(([number, event]) => [number, upcast<ThreadEvent>(threadSchemas, event)]),
    );
  }

  private async view(
    { stream, thread: { thread_id, namespace } }: ThreadStream,
    parts: CheckpointParts,
    events: EventsByNumber,
    mayOpen: boolean,
  ): Promise<CheckpointDto> {
    const { event: number } = parts;
    const data = parts.data ?? checkpointOf(events, number);
    const { checkpoint_id, parent_checkpoint_id, channel_versions, at } = data;
    const show = (stored: Stored, event: number) =>
      this.values.shown(stored, mayOpen, { stream, number: event });
    const [checkpoint, metadata, channels, pending_writes] = await Promise.all([
      show(data.checkpoint, number),
      show(data.metadata, number),
      fewAtOnce(
        [...parts.values],
        async ([channel, { event, stored = valueIn(events, event, channel) }]) => [
          channel,
          await show(stored, event),
        ],
      ),
      this.pendingWrites(parts, events, show),
    ]);
    return {
      thread_id,
      namespace,
      checkpoint_id,
      parent_checkpoint_id,
      checkpoint,
      metadata,
      channel_versions: channel_versions,
      channel_values: Object.fromEntries(channels) as JsonObject,
      pending_writes,
      at,
      source: { stream, number },
    };
  }

  /** Returns the writes of the tasks. Of two with the same task and index, the later one counts. */
  private pendingWrites(
    { writes }: CheckpointParts,
    events: EventsByNumber,
    show: (stored: Stored, event: number) => Promise<PendingWriteDto['value']>,
  ): Promise<PendingWriteDto[]> {
    const last = new Map<string, { event: number; data: WritesPut; write: Write }>();
    for (const { event, data = writesOf(events, event) } of writes)
      for (const write of data.writes)
        last.set(`${data.task_id} ${write.index}`, { event, data, write });
    return fewAtOnce([...last.values()], async ({ event, data: { task_id, task_path }, write }) => {
      const { index, channel, ...stored } = write;
      return { task_id, task_path, index, channel, value: await show(stored, event) };
    });
  }
}

/** Returns the numbers of the events that are not in memory. */
const missingIn = ({ event, data, values, writes }: CheckpointParts): number[] => [
  ...(data === undefined ? [event] : []),
  ...[...values.values()].filter(({ stored }) => stored === undefined).map((place) => place.event),
  ...writes.filter((place) => place.data === undefined).map((place) => place.event),
];

function checkpointOf(events: EventsByNumber, number: number): CheckpointPut {
  const event = events.get(number);
  if (event?.type !== 'checkpoint_put') throw new Error(`event ${number} is not a checkpoint`);
  return event.data;
}

function writesOf(events: EventsByNumber, number: number): WritesPut {
  const event = events.get(number);
  if (event?.type !== 'writes_put') throw new Error(`event ${number} holds no writes`);
  return event.data;
}

function valueIn(events: EventsByNumber, number: number, wanted: string): Stored {
  const { channel_values } = checkpointOf(events, number);
  const value = channel_values.find(({ channel }) => channel === wanted);
  if (value === undefined) throw new Error(`event ${number} holds no such value`);
  const { channel: _, ...stored } = value;
  return stored;
}
