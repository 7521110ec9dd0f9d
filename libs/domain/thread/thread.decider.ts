import type { AnsweredBy, Decider } from '../decider.js';
import { Refusal } from '../errors/refusal.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { checkpointIn, entriesOf, isSameRequest, writesIn } from './entries.js';
import {
  type CheckpointPut,
  type ThreadDeleted,
  type ThreadEvent,
  threadSchemas,
  type WritesPut,
} from './events.js';
import { evolveThread, initialThread, threadJson, threadSize, type ThreadState } from './state.js';

/** The caller's change; `thread` is recorded by the first one. */
export type ThreadCommand = AnsweredBy<ThreadChanged> & Change;

type Change =
  | { readonly type: 'put_checkpoint'; readonly data: CheckpointPut }
  | { readonly type: 'put_writes'; readonly data: WritesPut }
  | { readonly type: 'delete'; readonly data: ThreadDeleted };

/** The answer to a change. */
export type ThreadChanged = {
  /** The number of the stream's events. */
  readonly version: number;
};

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** Records the thread with the first event, and not again. */
function opened<Data extends CheckpointPut | WritesPut>(data: Data, state: ThreadState): Data {
  const { thread, ...rest } = data;
  const at = normalizeTimestamp(data.at);
  return (state.thread === undefined ? { thread, ...rest, at } : { ...rest, at }) as Data;
}

function requireVersions({ channel_versions, ...data }: CheckpointPut): void {
  const changed = [...data.channel_values.map(({ channel }) => channel), ...data.empty_channels];
  for (const version of Object.values(channel_versions))
    if (typeof version !== 'number' && typeof version !== 'string')
      throw invalid('channel_versions: a version is not a number or a text');
  if (!changed.every((channel) => Object.hasOwn(channel_versions, channel)))
    throw invalid('channel_versions: a changed channel has no version');
  if (new Set(changed).size < changed.length) throw invalid('empty_channels: a channel repeats');
}

/** A checkpoint that is put again adds nothing; another one with the same id takes its place. */
function putCheckpoint(data: CheckpointPut, state: ThreadState): ThreadEvent[] {
  if (data.parent_checkpoint_id === data.checkpoint_id)
    throw invalid('parent_checkpoint_id: is the checkpoint itself');
  requireVersions(data);
  if (checkpointIn(state.last, data.checkpoint_id)?.digest === data.digest) return [];
  return [{ type: 'checkpoint_put', data: opened(data, state) }];
}

/**
 * A write that a task has made already is not made again, unless the request repeats one whose values are erased. A
 * write with a negative index (such as an error or an interrupt) takes the place of the earlier one.
 */
function putWrites(data: WritesPut, state: ThreadState): ThreadEvent[] {
  const indexes = data.writes.map(({ index }) => index).filter((index) => index >= 0);
  if (new Set(indexes).size < indexes.length) throw invalid('writes: an index repeats');
  const earlier = writesIn(state.last, data.checkpoint_id).filter(
    ({ task_id }) => task_id === data.task_id,
  );
  if (earlier.at(-1)?.digest === data.digest) return [];
  const standing = earlier.filter(
    ({ digest }) => digest === data.digest || !isSameRequest(digest, data.digest),
  );
  const made = new Set(standing.flatMap((entry) => entry.indexes));
  const writes = data.writes.filter(({ index }) => index < 0 || !made.has(index));
  if (writes.length === 0) return [];
  return [{ type: 'writes_put', data: opened({ ...data, writes }, state) }];
}

function deleteEntries(data: ThreadDeleted, { last, eventCount }: ThreadState): ThreadEvent[] {
  const { up_to = eventCount } = data;
  if (![...entriesOf(last)].some(({ event }) => event <= up_to)) return [];
  return [{ type: 'thread_deleted', data: { ...data, at: normalizeTimestamp(data.at) } }];
}

function decide(command: ThreadCommand, state: ThreadState): ThreadEvent[] {
  switch (command.type) {
    case 'put_checkpoint':
      return putCheckpoint(command.data, state);
    case 'put_writes':
      return putWrites(command.data, state);
    case 'delete':
      return deleteEntries(command.data, state);
  }
}

function commandOf({ type, data }: ThreadEvent): ThreadCommand {
  switch (type) {
    case 'checkpoint_put':
      return { type: 'put_checkpoint', data };
    case 'writes_put':
      return { type: 'put_writes', data };
    case 'thread_deleted':
      return { type: 'delete', data };
  }
}

/**
 * The checkpoints of one thread in one namespace, in `thread-<HMAC of owner, thread and namespace>`, with the pending
 * writes of their tasks.
 */
export const threadDecider: Decider<ThreadState, ThreadCommand, ThreadEvent> = {
  category: 'thread',
  schemas: threadSchemas,
  initialState: initialThread,
  evolve: evolveThread,
  decide,
  commandOf,
  resultOf: (_event, { eventCount }) => ({ version: eventCount }),
  sizeOf: threadSize,
  stateJson: threadJson,
};
