import type { Json } from '../json.js';
import {
  checkpointIn,
  type CheckpointEntry,
  entriesAfter,
  entriesOf,
  type Entry,
  valueEventsOf,
  withHidden,
  writesIn,
} from './entries.js';
import type {
  CheckpointPut,
  Stored,
  ThreadDeleted,
  ThreadEvent,
  ThreadName,
  WritesPut,
} from './events.js';

/** A value of a checkpoint: the event that holds it, and the value if it is in memory. */
export interface ValuePlace {
  readonly event: number;
  readonly stored?: Stored;
}

/** The writes of one event, with their data if they are in memory. */
export interface WritesPlace {
  readonly event: number;
  readonly data?: WritesPut;
}

/** Where everything that belongs to one checkpoint is. */
export interface CheckpointParts {
  readonly event: number;
  readonly data?: CheckpointPut;
  readonly values: ReadonlyMap<string, ValuePlace>;
  /** In the order of their events. */
  readonly writes: readonly WritesPlace[];
}

type LatestCheckpoint = CheckpointParts &
  Pick<CheckpointEntry, 'checkpoint_id' | 'channel_versions'>;

/**
 * The checkpoints and writes of one thread in one namespace. The state names the events that hold them; only the
 * latest checkpoint is in memory, because a graph goes on from it.
 */
export interface ThreadState {
  /** Undefined before the first event. */
  readonly thread: ThreadName | undefined;
  readonly eventCount: number;
  /** The last event that no deletion has hidden. */
  readonly last: Entry | undefined;
  /** The checkpoint whose id was put first after those of all others. */
  readonly latest: LatestCheckpoint | undefined;
  /** The greatest id as a text: a greater one, as most are, is new, and needs no search for an earlier put. */
  readonly greatestId: string | undefined;
}

export const initialThread = (): ThreadState => ({
  thread: undefined,
  eventCount: 0,
  last: undefined,
  latest: undefined,
  greatestId: undefined,
});

export const partsOf = (last: Entry | undefined, checkpoint: CheckpointEntry): CheckpointParts => ({
  event: checkpoint.event,
  values: new Map(
    [...valueEventsOf(last, checkpoint)].map(([channel, event]) => [channel, { event }]),
  ),
  writes: writesIn(last, checkpoint.checkpoint_id).map(({ event }) => ({ event })),
});

/** Returns the values of a new checkpoint. Those that its parent has as well are taken over from memory. */
function valuesOf(
  { latest }: ThreadState,
  entry: CheckpointEntry,
  data: CheckpointPut,
): ReadonlyMap<string, ValuePlace> {
  const { event, channel_versions } = entry;
  const values = new Map<string, ValuePlace>();
  for (const { channel, ...stored } of data.channel_values) values.set(channel, { event, stored });
  const parent = latest?.checkpoint_id === data.parent_checkpoint_id ? latest : undefined;
  const missing: string[] = [];
  for (const [channel, version] of Object.entries(channel_versions)) {
    if (entry.changes.has(channel)) continue;
    const isSame = parent?.channel_versions[channel] === version;
    const place = isSame ? parent?.values.get(channel) : undefined;
    if (place !== undefined) values.set(channel, place);
    else if (!isSame) missing.push(channel);
  }
  if (missing.length > 0)
    for (const [channel, place] of valueEventsOf(entry, entry, missing))
      values.set(channel, { event: place });
  return values;
}

function withCheckpoint(state: ThreadState, data: CheckpointPut): ThreadState {
  const { eventCount: event, last: before, latest } = state;
  const { checkpoint_id, parent_checkpoint_id, channel_versions, digest } = data;
  const { greatestId = checkpoint_id } = state;
  const isGreatest = checkpoint_id > greatestId;
  const earlier = isGreatest ? undefined : checkpointIn(before, checkpoint_id);
  const last: CheckpointEntry = {
    kind: 'checkpoint',
    event,
    first: earlier?.first ?? event,
    checkpoint_id,
    parent_checkpoint_id,
    channel_versions,
    changes: new Map([
      ...data.empty_channels.map((channel) => [channel, false] as const),
      ...data.channel_values.map(({ channel }) => [channel, true] as const),
    ]),
    digest,
    before,
  };
  const known = { ...state, last, greatestId: isGreatest ? checkpoint_id : greatestId };
  if (earlier !== undefined && latest?.checkpoint_id !== checkpoint_id) return known;
  const writes =
    latest?.checkpoint_id === checkpoint_id
      ? latest.writes
      : writesIn(before, checkpoint_id).map((entry) => ({ event: entry.event }));
  const values = valuesOf(state, last, data);
  return { ...known, latest: { event, checkpoint_id, channel_versions, data, values, writes } };
}

function withWrites(state: ThreadState, data: WritesPut): ThreadState {
  const { eventCount: event, last: before, latest } = state;
  const { checkpoint_id, task_id, digest } = data;
  const indexes = data.writes.map(({ index }) => index);
  const last = { kind: 'writes', event, checkpoint_id, task_id, indexes, digest, before } as const;
  if (latest?.checkpoint_id !== checkpoint_id) return { ...state, last };
  return { ...state, last, latest: { ...latest, writes: [...latest.writes, { event, data }] } };
}

function withDeletion(state: ThreadState, { up_to }: ThreadDeleted): ThreadState {
  const last = up_to === undefined ? undefined : entriesAfter(state.last, up_to);
  let latest: CheckpointEntry | undefined;
  let greatestId: string | undefined;
  for (const entry of entriesOf(last)) {
    if (entry.kind !== 'checkpoint') continue;
    if (latest === undefined || entry.first > latest.first) latest = entry;
    if (greatestId === undefined || entry.checkpoint_id > greatestId)
      greatestId = entry.checkpoint_id;
  }
  const known = { ...state, last, greatestId };
  if (latest === undefined) return { ...known, latest };
  const { checkpoint_id, channel_versions } = latest;
  return { ...known, latest: { ...partsOf(last, latest), checkpoint_id, channel_versions } };
}

function changed(state: ThreadState, event: ThreadEvent): ThreadState {
  switch (event.type) {
    case 'checkpoint_put':
      return withCheckpoint(state, event.data);
    case 'writes_put':
      return withWrites(state, event.data);
    case 'thread_deleted':
      return withDeletion(state, event.data);
  }
}

export function evolveThread(state: ThreadState, event: ThreadEvent): ThreadState {
  const thread = state.thread ?? (event.type === 'thread_deleted' ? undefined : event.data.thread);
  return { ...changed(state, event), thread, eventCount: state.eventCount + 1 };
}

/** Leaves out what follows from the other entries. */
function entryJson({ before: _, hidden: __, ...entry }: Entry): Json {
  if (entry.kind === 'writes') return entry;
  const { first: ___, ...checkpoint } = entry;
  return { ...checkpoint, changes: Object.fromEntries(checkpoint.changes) };
}

/** The state as JSON, for the hash of a replay. The latest checkpoint follows from the list and the events. */
export const threadJson = ({ thread, eventCount, last }: ThreadState): Json => ({
  thread: thread ?? null,
  event_count: eventCount,
  entries: [...entriesOf(last)].reverse().map(entryJson),
});

const ENTRY_SIZE = 1_024;

/** The approximate size of a state in characters. */
export function threadSize({ last, latest }: ThreadState): number {
  let entries = 0;
  for (const _ of withHidden(last)) entries += 1;
  const inMemory =
    latest === undefined ? [] : [latest.data ?? null, ...latest.values.values(), latest.writes];
  return ENTRY_SIZE * entries + JSON.stringify(inMemory).length;
}
