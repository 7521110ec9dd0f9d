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
  type JsonObject,
  MaceClient,
  type MaceClientOptions,
  type PendingWrite as StoredWrite,
} from '@mace-memory/client';
import { decoded, encoded, isErased } from './encoding.js';

/** The place of a checkpoint, as LangGraph's configurations name it. */
interface Place {
  readonly thread_id?: string;
  readonly checkpoint_ns?: string;
  readonly checkpoint_id?: string;
}

const placeOf = (config: RunnableConfig): Place => config.configurable ?? {};

const configOf = (thread_id: string, checkpoint_ns: string, checkpoint_id: string) => ({
  configurable: { thread_id, checkpoint_ns, checkpoint_id },
});

/** Returns a value without what JSON does not have, and without U+0000, which the service does not store. */
const plainJson = (value: unknown): JsonObject =>
  JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as JsonObject;

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
    return stored && this.#tupleOf(stored);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns: namespace, checkpoint_id } = placeOf(config);
    const asked = {
      thread_id,
      namespace,
      checkpoint_id,
      before: before?.configurable?.['checkpoint_id'] as string | undefined,
      limit,
      filter: Object.keys(filter).length === 0 ? undefined : plainJson(filter),
    };
    for await (const stored of this.client.threads.all(given(asked))) {
      const tuple = await this.#tupleOf(stored);
      if (tuple !== undefined) yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = '', checkpoint_id: parent } = placeOf(config);
    if (thread_id === undefined) throw missing('thread_id', 'put a checkpoint');
    const { channel_values, channel_versions, ...rest } = checkpoint;
    const changed = Object.keys(newVersions).filter((channel) => channel in channel_versions);
    const values = await Promise.all(
      changed
        .filter((channel) => channel in channel_values)
        .map(async (channel) => [channel, await encoded(this.serde, channel_values[channel])]),
    );
    await this.client.threads.putCheckpoint({
      thread_id,
      namespace: checkpoint_ns,
      checkpoint_id: checkpoint.id,
      ...(parent ? { parent_checkpoint_id: parent } : {}),
      checkpoint: plainJson(rest),
      metadata: plainJson(metadata),
      channel_versions,
      channel_values: Object.fromEntries(values) as JsonObject,
      empty_channels: changed.filter((channel) => !(channel in channel_values)),
    });
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
    if (writes.length === 0) return;
    await this.client.threads.putWrites({
      thread_id,
      namespace: checkpoint_ns,
      checkpoint_id,
      task_id: taskId,
      task_path: taskPath,
      writes: await Promise.all(
        writes.map(async ([channel, value], place) => ({
          index: WRITES_IDX_MAP[channel] ?? place,
          channel,
          value: await encoded(this.serde, value),
        })),
      ),
    });
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.client.threads.delete(threadId);
  }

  /** Returns a checkpoint as LangGraph reads it; undefined if its owner's data was erased. */
  async #tupleOf(stored: StoredCheckpoint): Promise<CheckpointTuple | undefined> {
    const { thread_id, namespace, checkpoint_id, parent_checkpoint_id: parent } = stored;
    if (isErased(stored.checkpoint) || isErased(stored.metadata)) return undefined;
    const checkpoint = {
      ...(stored.checkpoint as object),
      channel_values: await this.#valuesOf(stored),
      channel_versions: { ...stored.channel_versions },
    } as Checkpoint;
    if (checkpoint.v < 4 && parent !== null)
      await this.#addPendingSends(checkpoint, stored, parent);
    return {
      config: configOf(thread_id, namespace, checkpoint_id),
      checkpoint,
      metadata: stored.metadata as unknown as CheckpointMetadata,
      pendingWrites: await this.#writesOf(stored.pending_writes),
      ...(parent === null ? {} : { parentConfig: configOf(thread_id, namespace, parent) }),
    };
  }

  async #valuesOf({ channel_values }: StoredCheckpoint): Promise<Record<string, unknown>> {
    const entries = Object.entries(channel_values).filter(([, json]) => !isErased(json));
    return Object.fromEntries(
      await Promise.all(
        entries.map(async ([channel, json]) => [channel, await decoded(this.serde, json)] as const),
      ),
    );
  }

  /** Returns the writes in the order in which a run applies them. */
  #writesOf(writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
    const keyOf = ({ task_path, task_id, index }: StoredWrite) =>
      writesSortKey(task_path, task_id, index);
    const sorted = writes
      .filter(({ value }) => !isErased(value))
      .sort((one, other) => compareWritesSortKeys(keyOf(one), keyOf(other)));
    return Promise.all(
      sorted.map(async ({ task_id, channel, value }) => [
        task_id,
        channel,
        await decoded(this.serde, value),
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

const missing = (field: string, action: string): Error =>
  new Error(`MaceSaver cannot ${action}: config.configurable.${field} is missing.`);

/** Returns an object without the fields that are undefined or empty texts, except an empty namespace. */
const given = <Fields extends object>(
  fields: Fields,
): { [F in keyof Fields]?: NonNullable<Fields[F]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && (value !== '' || name === 'namespace'),
    ),
  ) as { [F in keyof Fields]?: NonNullable<Fields[F]> };
