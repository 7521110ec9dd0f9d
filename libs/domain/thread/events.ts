import { type DomainEvent, type EventSchema, input } from '../decider.js';
import type { Held } from '../held.js';
import type { JobOwner } from '../job/events.js';
import type { Json, JsonObject } from '../json.js';

/** Every event of `thread-<HMAC of owner, thread and namespace>`. */
export type ThreadEvent =
  | { readonly type: 'checkpoint_put'; readonly data: CheckpointPut }
  | { readonly type: 'writes_put'; readonly data: WritesPut }
  /** Hides what the stream holds so far, or up to an event. The log keeps it. */
  | { readonly type: 'thread_deleted'; readonly data: ThreadDeleted };

/** The thread that a stream holds, whose name is an HMAC. */
export type ThreadName = {
  readonly thread_id: string;
  /** Empty for the thread's own graph; a subgraph has a namespace. */
  readonly namespace: string;
  readonly owner: JobOwner;
};

/** Only the first event of a stream has `thread`. */
type Opening = { readonly thread?: ThreadName };

/**
 * A value, in clear or sealed. Of a large value, the event holds the URL of its artifact. The artifact has the
 * value's canonical JSON or, if the value contains personal data, its ciphertext.
 */
export type Stored = Held & { readonly large?: true };

export type ChannelVersion = string | number;
export type ChannelVersions = Readonly<Record<string, ChannelVersion>>;

/** The state of a graph after one of its steps. */
export type CheckpointPut = Opening & {
  readonly checkpoint_id: string;
  /** The checkpoint from which the step began; null for the first one. */
  readonly parent_checkpoint_id: string | null;
  /** The checkpoint without the versions and values of its channels. */
  readonly checkpoint: Stored;
  readonly metadata: Stored;
  readonly channel_versions: ChannelVersions;
  /** The values that this step has changed. The others are in earlier events, under the same versions. */
  readonly channel_values: readonly (Stored & { readonly channel: string })[];
  /** The channels that this step has emptied. */
  readonly empty_channels: readonly string[];
  /** An HMAC of the request, by which a repetition is recognised. */
  readonly digest: string;
  /** The wall-clock time, recorded as input. */
  readonly at: string;
};

/** What a task of the step after a checkpoint has written so far. */
export type WritesPut = Opening & {
  readonly checkpoint_id: string;
  readonly task_id: string;
  /** The place of the task in its step, by which writes are ordered. */
  readonly task_path: string;
  readonly writes: readonly (Stored & { readonly index: number; readonly channel: string })[];
  readonly digest: string;
  readonly at: string;
};

export type ThreadDeleted = {
  /**
   * The number of the last event that it hides, because others can write after a deletion was asked for and before it
   * lands. Without it, as in version 1, it hides all events before its own.
   */
  readonly up_to?: number;
  readonly at: string;
};

export const threadSchemas: Readonly<Record<ThreadEvent['type'], EventSchema>> = {
  checkpoint_put: input,
  writes_put: input,
  thread_deleted: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
};

const mapped = (list: Json | undefined, change: (holder: Json) => Json): Json =>
  Array.isArray(list) ? (list as readonly Json[]).map(change) : (list ?? null);

/**
 * Returns an event's data with a change of each place that can hold a sealed value; undefined for the events of
 * other streams.
 */
export function withThreadHolders(
  { type, data }: DomainEvent,
  change: (holder: Json) => Json,
): JsonObject | undefined {
  if (type === 'writes_put') return { ...data, writes: mapped(data['writes'], change) };
  if (type !== 'checkpoint_put') return undefined;
  return {
    ...data,
    checkpoint: change(data['checkpoint'] ?? null),
    metadata: change(data['metadata'] ?? null),
    channel_values: mapped(data['channel_values'], change),
  };
}
