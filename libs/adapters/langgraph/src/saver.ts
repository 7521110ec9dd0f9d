import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
} from '@langchain/langgraph-checkpoint';
import {
  type Checkpoint as StoredCheckpoint,
  ERASED,
  isErased,
  isMaceError,
  type Json,
  type JsonObject,
  MaceClient,
  type MaceClientOptions,
  MaceErased,
  type PendingWrite as StoredWrite,
  recordOf,
  requireArguments,
  valueOf,
  MaceArgumentError,
} from '@mace-memory/client';

/** The service scans a value for personal data down to a depth of 64. */
const MAX_DEPTH = 50;

/** U+0000 and lone surrogates. */
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;

/** True if the service can store a JSON value as it is. */
function isStorable(value: Json, depth = 0): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([name, item]) => !UNSTORABLE.test(name) && isStorable(item as Json, depth + 1),
  );
}

/** LangGraph's serializer returns this text for a value that contains a bigint. */
const LOST = '[unable to serialize, circular reference is too complex to analyze]';

/**
 * Returns a value as JSON, so that the service finds personal data in it. What is not JSON, or what the service does
 * not store as JSON, is encoded in base64. @param channel the name of the channel, for the error
 * @throws MaceArgumentError for a value of which the serializer would keep nothing
 */
async function encoded(serde: SerializerProtocol, value: unknown, channel: string): Promise<Json> {
  const [type, bytes] = await serde.dumpsTyped(value);
  if (type === 'json') {
    const text = new TextDecoder().decode(bytes);
    const json = text === '' ? undefined : (JSON.parse(text) as Json);
    if (json === LOST && value !== LOST)
      throw new MaceArgumentError(`channel_values.${channel}`, 'without bigints', value);
    if (json !== undefined && isStorable(json)) return { type, value: json };
  }
  return { type, base64: Buffer.from(bytes).toString('base64') };
}

const hasField = <Field extends string>(json: Json, field: Field): json is { [F in Field]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && Object.hasOwn(json, field);

/** Returns the value that `encoded` made the JSON from. */
async function decoded(serde: SerializerProtocol, json: Json): Promise<unknown> {
  if (!hasField(json, 'type')) throw new TypeError('not a value that this adapter has stored');
  const type = String(json.type);
  if (hasField(json, 'value')) return serde.loadsTyped(type, JSON.stringify(json.value));
  const base64 = hasField(json, 'base64') ? String(json.base64) : '';
  return serde.loadsTyped(type, new Uint8Array(Buffer.from(base64, 'base64')));
}

/** The place of a checkpoint, as LangGraph's configurations name it. */
interface Place {
  readonly thread_id?: string;
  readonly checkpoint_ns?: string;
  readonly checkpoint_id?: string;
}

/** Returns the thread, namespace and checkpoint of a configuration. @throws MaceArgumentError if one has another type */
function placeOf(config: RunnableConfig, name = 'config'): Place {
  requireArguments({ [name]: config }, { [name]: 'object' });
  const place: unknown = config.configurable ?? {};
  requireArguments(place, PLACE, `${name}.configurable`);
  return place as Place;
}

const PLACE = { thread_id: 'name?', checkpoint_ns: 'text?', checkpoint_id: 'text?' } as const;

const configOf = (thread_id: string, checkpoint_ns: string, checkpoint_id: string) => ({
  configurable: { thread_id, checkpoint_ns, checkpoint_id },
});

/** Returns a checkpoint, metadata or a filter as the service stores it. A step may change at most 1 MB of all. */
const jsonOf = (value: unknown): JsonObject => recordOf(value, { maxBytes: 500_000 }) as JsonObject;

/** How a read treats what was erased: as an error, or as a text that stands for it. */
type OnErased = 'fail' | 'show';

/**
 * A checkpointer for LangGraph on MACE Memory. Each thread is an event stream for each namespace: every checkpoint and
 * every write of a task is an event of a hash chain, which can be exported, verified and replayed. Personal data is
 * stored sealed. A thread belongs to the user of the client's token, or to its sub.
 *
 * ```ts
 * const checkpointer = new MaceSaver({ baseUrl: 'http://127.0.0.1:3000', token });
 * const graph = builder.compile({ checkpointer });
 * ```
 */
export class MaceSaver extends BaseCheckpointSaver {
  readonly client: MaceClient;

  constructor(client: MaceClient | MaceClientOptions, serde?: SerializerProtocol) {
    super(serde);
    this.client = 'threads' in client ? client : new MaceClient(client);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns: namespace = '', checkpoint_id } = placeOf(config);
    if (thread_id === undefined) return undefined;
    const id = checkpoint_id ? { checkpoint_id } : {};
    const stored = await this.client.threads.get({ thread_id, namespace, ...id });
    return stored && this.#tupleOf(stored, 'fail');
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    requireArguments({ options }, { options: 'object' });
    requireArguments(
      options,
      { limit: 'number?', before: 'object?', filter: 'object?' },
      'options',
    );
    const { limit, before, filter = {} } = options;
    const { thread_id, checkpoint_ns: namespace, checkpoint_id } = placeOf(config);
    const asked = {
      thread_id,
      namespace,
      checkpoint_id,
      before: before && placeOf(before, 'options.before').checkpoint_id,
      limit,
      filter: Object.keys(filter).length === 0 ? undefined : jsonOf(filter),
    };
    for await (const stored of this.client.threads.all(given(asked)))
      yield await this.#tupleOf(stored, 'show');
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = '', checkpoint_id: parent } = placeOf(config);
    if (thread_id === undefined) throw missing('thread_id', 'put a checkpoint');
    requireArguments({ checkpoint, metadata, newVersions }, PUT);
    requireArguments(checkpoint, CHECKPOINT, 'checkpoint');
    const { channel_values, channel_versions, ...rest } = checkpoint;
    const changed = Object.keys(newVersions).filter((channel) => channel in channel_versions);
    const values = await Promise.all(
      changed
        .filter((channel) => channel in channel_values)
        .map(async (channel) => [
          channel,
          await encoded(this.serde, channel_values[channel], channel),
        ]),
    );
    await withinOneStep(
      'put a checkpoint',
      values as [string, Json][],
      this.client.threads.putCheckpoint({
        thread_id,
        namespace: checkpoint_ns,
        checkpoint_id: checkpoint.id,
        ...(parent ? { parent_checkpoint_id: parent } : {}),
        checkpoint: jsonOf(rest),
        metadata: jsonOf(metadata),
        channel_versions,
        channel_values: Object.fromEntries(values) as JsonObject,
        empty_channels: changed.filter((channel) => !(channel in channel_values)),
      }),
    );
    return configOf(thread_id, checkpoint_ns, checkpoint.id);
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = placeOf(config);
    if (thread_id === undefined) throw missing('thread_id', 'put writes');
    if (checkpoint_id === undefined) throw missing('checkpoint_id', 'put writes');
    requireArguments({ writes, taskId, taskPath }, WRITES);
    for (const [place, write] of writes.entries())
      requireArguments({ [`writes[${place}]`]: write }, { [`writes[${place}]`]: 'list' });
    if (writes.length === 0) return;
    const stored = await Promise.all(
      writes.map(async ([channel, value], place) => ({
        index: WRITES_IDX_MAP[channel] ?? place,
        channel,
        value: await encoded(this.serde, value, channel),
      })),
    );
    await withinOneStep(
      'put writes',
      stored.map(({ channel, value }) => [channel, value]),
      this.client.threads.putWrites({
        thread_id,
        namespace: checkpoint_ns,
        checkpoint_id,
        task_id: taskId,
        task_path: taskPath,
        writes: stored,
      }),
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    requireArguments({ threadId }, { threadId: 'name' });
    await this.client.threads.delete(threadId);
  }

  /** Returns a checkpoint as LangGraph reads it. @throws MaceErased for `fail` if a part of it was erased */
  async #tupleOf(stored: StoredCheckpoint, onErased: OnErased): Promise<CheckpointTuple> {
    const { thread_id, namespace, checkpoint_id, parent_checkpoint_id: parent } = stored;
    const { at, channel_versions } = stored;
    const parts = [stored.checkpoint, stored.metadata, ...Object.values(stored.channel_values)];
    const writes = stored.pending_writes.map(({ value }) => value);
    if (onErased === 'fail' && [...parts, ...writes].some(isErased))
      throw new MaceErased('The checkpoint, or a part of it,');
    const rest = isErased(stored.checkpoint)
      ? { v: 4, id: checkpoint_id, ts: at, versions_seen: {} }
      : (valueOf(stored.checkpoint) as object);
    const checkpoint = {
      ...rest,
      channel_values: await this.#valuesOf(stored),
      channel_versions: { ...channel_versions },
    } as Checkpoint;
    if (checkpoint.v < 4 && parent !== null)
      await this.#addPendingSends(checkpoint, stored, parent);
    return {
      config: configOf(thread_id, namespace, checkpoint_id),
      checkpoint,
      metadata: (isErased(stored.metadata)
        ? { erased: ERASED }
        : valueOf(stored.metadata)) as CheckpointMetadata,
      pendingWrites: await this.#writesOf(stored.pending_writes),
      ...(parent === null ? {} : { parentConfig: configOf(thread_id, namespace, parent) }),
    };
  }

  async #valuesOf({ channel_values }: StoredCheckpoint): Promise<Record<string, unknown>> {
    const entries = Object.entries(channel_values);
    return Object.fromEntries(
      await Promise.all(
        entries.map(async ([channel, json]) => [channel, await this.#opened(json)] as const),
      ),
    );
  }

  async #opened(json: Json): Promise<unknown> {
    return isErased(json) ? ERASED : decoded(this.serde, json);
  }

  /** Returns the writes in the order in which a run applies them. */
  #writesOf(writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
    const keyOf = ({ task_path, task_id, index }: StoredWrite) =>
      writesSortKey(task_path, task_id, index);
    const sorted = [...writes].sort((one, other) =>
      compareWritesSortKeys(keyOf(one), keyOf(other)),
    );
    return Promise.all(
      sorted.map(async ({ task_id, channel, value }) => [
        task_id,
        channel,
        await this.#opened(value),
      ]),
    ) as Promise<CheckpointPendingWrite[]>;
  }

  /** Before version 4, the sends of a step were not in its checkpoint but among the writes of its parent. */
  async #addPendingSends(
    checkpoint: Checkpoint,
    { thread_id, namespace }: StoredCheckpoint,
    parent: string,
  ): Promise<void> {
    const stored = await this.client.threads.get({ thread_id, namespace, checkpoint_id: parent });
    const writes = await this.#writesOf(stored?.pending_writes ?? []);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = writes
      .filter(([, channel]) => channel === TASKS)
      .map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }
}

const PUT = { checkpoint: 'object', metadata: 'object', newVersions: 'object' } as const;
const CHECKPOINT = { id: 'name', channel_values: 'object', channel_versions: 'object' } as const;
const WRITES = { writes: 'list', taskId: 'name', taskPath: 'text' } as const;

const missing = (field: string, action: string): Error =>
  new Error(`MaceSaver cannot ${action}: config.configurable.${field} is missing.`);

/** The most bytes of a request. */
const MAX_STEP = 1024 * 1024;

/** Waits for a write. If it fails because the values are too large, the error names the channels, largest first. */
async function withinOneStep(
  action: string,
  values: readonly (readonly [string, Json])[],
  write: Promise<unknown>,
): Promise<void> {
  try {
    await write;
  } catch (cause) {
    const sizes = values.map(
      ([channel, value]) => [channel, Buffer.byteLength(JSON.stringify(value))] as const,
    );
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    // The rest of the request is small, and its own limit names it.
    if (total < MAX_STEP / 2 || !isTooLarge(cause)) throw cause;
    const named = sizes
      .sort(([, one], [, other]) => other - one)
      .map(([channel, size]) => `${channel} ${size}`)
      .join(', ');
    throw new Error(
      `MaceSaver cannot ${action}: one step may change at most ${MAX_STEP} bytes, and its channels have ${total}: ${named}.`,
      { cause },
    );
  }
}

const isTooLarge = (error: unknown): boolean =>
  isMaceError(error, 'INVALID_INPUT') && error.developerMessage.includes('larger than');

/** Returns an object without the fields that are undefined or empty texts, except an empty namespace. */
const given = <Fields extends object>(
  fields: Fields,
): { [F in keyof Fields]?: NonNullable<Fields[F]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== '' || name === 'namespace'),
    ),
  ) as { [F in keyof Fields]?: NonNullable<Fields[F]> };
