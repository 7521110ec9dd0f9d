import type { ConversationHandle, MaceClient } from '@mace-memory/client';
import type { MastraDBMessage, StorageThreadType } from '@mastra/core/memory';
import {
  InMemoryDB,
  InMemoryMemory,
  MemoryStorage,
  type StorageCloneThreadInput,
  type StorageCopyThreadOutput,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
} from '@mastra/core/storage';
import { randomUUID } from 'node:crypto';
import { DatedRecords } from './dated-records.js';
import { inBatches } from './in-batches.js';
import { messageUpdate, type MessageUpdate } from './message-update.js';
import { Messages, threadIdOf } from './messages.js';

type Metadata = Record<string, unknown>;

export interface MaceMemoryStorageOptions {
  /** The namespace of the notes, and the beginning of the conversations' ids. The default is `['mastra']`. */
  readonly namespace?: readonly string[];
}

/**
 * Mastra's memory in MACE Memory. A thread and a resource are notes, and the messages of a thread are a
 * conversation, so every change is an event. Lists are filtered, sorted and paged by Mastra's own in-memory
 * storage, over the threads that they concern.
 */
export class MaceMemoryStorage extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true;
  readonly #threads: DatedRecords<StorageThreadType>;
  readonly #resources: DatedRecords<StorageResourceType>;
  readonly #messages: Messages;

  /** @param client a client of the service; its token decides whose memory this is */
  constructor(client: MaceClient, { namespace = ['mastra'] }: MaceMemoryStorageOptions = {}) {
    super();
    this.#threads = new DatedRecords(client, [...namespace, 'threads']);
    this.#resources = new DatedRecords(client, [...namespace, 'resources']);
    this.#messages = new Messages(client, namespace);
  }

  /** Returns the conversation with the messages of a thread, for replays, exports and earlier versions. */
  conversation(threadId: string): ConversationHandle {
    return this.#messages.conversation(threadId);
  }

  /** Removes everything under the namespace. The log keeps it. */
  async dangerouslyClearAll(): Promise<void> {
    await inBatches(await this.#messages.threadIds(), (id) => this.#messages.clear(id));
    for await (const { id } of this.#threads.all()) await this.#threads.delete(id);
    for await (const { id } of this.#resources.all()) await this.#resources.delete(id);
  }

  override async getThreadById(asked: {
    threadId: string;
    resourceId?: string;
  }): Promise<StorageThreadType | null> {
    const thread = await this.#threads.get(asked.threadId);
    const isOther = asked.resourceId !== undefined && thread?.resourceId !== asked.resourceId;
    return isOther ? null : thread;
  }

  override async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    await this.#threads.put(thread.id, thread);
    return thread;
  }

  override async updateThread({
    id,
    title,
    metadata,
  }: {
    id: string;
    title?: string;
    metadata?: Metadata;
  }): Promise<StorageThreadType> {
    const updated = await this.#threads.change(id, (thread) => {
      if (thread === null) return undefined;
      const titled = title === undefined ? thread : { ...thread, title };
      return { ...titled, metadata: { ...thread.metadata, ...metadata } };
    });
    if (updated === undefined) throw new Error(`Thread with id ${id} not found`);
    return updated;
  }

  /** Changes a thread's metadata in one step, whatever other processes do. */
  override async updateThreadMetadata({
    id,
    resourceId,
    update,
  }: {
    id: string;
    resourceId?: string;
    update: (thread: StorageThreadType) => Metadata | undefined;
  }): Promise<StorageThreadType | null> {
    const updated = await this.#threads.change(id, (thread) => {
      const isOther = resourceId !== undefined && thread?.resourceId !== resourceId;
      if (thread === null || isOther) return undefined;
      const metadata = update(thread);
      return metadata && { ...thread, metadata: { ...thread.metadata, ...metadata } };
    });
    return updated ?? this.getThreadById({ threadId: id, ...(resourceId && { resourceId }) });
  }

  override async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#threads.delete(threadId);
    await this.#messages.clear(threadId);
  }

  override async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const db = new InMemoryDB();
    for await (const thread of this.#threads.all()) db.threads.set(thread.id, thread);
    return new InMemoryMemory({ db }).listThreads(args);
  }

  override async copyThread(args: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    const { sourceThreadId, newThreadId = randomUUID() } = args;
    const source = await this.#threads.get(sourceThreadId);
    if (source === null) throw new Error(`Source thread with id ${sourceThreadId} not found`);
    if ((await this.#threads.get(newThreadId)) !== null)
      throw new Error(`Thread with id ${newThreadId} already exists`);
    const loaded = await this.#messages.loaded([sourceThreadId]);
    await loaded.saveThread({ thread: source });
    const copy = await loaded.copyThread({ ...args, newThreadId });
    const { messages } = await loaded.listMessages({ threadId: newThreadId, perPage: false });
    await this.#messages.save(messages);
    await this.#threads.put(newThreadId, copy.thread);
    return copy;
  }

  override async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const newest = await this.#newestMessages(args);
    if (newest !== undefined) return newest;
    const included = (args.include ?? []).map(({ id }) => id);
    return (await this.#messages.loaded([args.threadId].flat(), included)).listMessages(args);
  }

  override async listMessagesByResourceId(
    args: StorageListMessagesByResourceIdInput,
  ): Promise<StorageListMessagesOutput> {
    const threadIds = await this.#messages.threadIds(args.resourceId);
    const included = (args.include ?? []).map(({ id }) => id);
    return (await this.#messages.loaded(threadIds, included)).listMessagesByResourceId(args);
  }

  override async listMessagesById({ messageIds }: { messageIds: string[] }) {
    return (await this.#messages.loaded([], messageIds)).listMessagesById({ messageIds });
  }

  override async saveMessages({ messages }: { messages: MastraDBMessage[] }) {
    await this.#touch(await this.#messages.save(messages));
    return { messages };
  }

  override async updateMessages({
    messages: updates,
  }: {
    messages: MessageUpdate[];
  }): Promise<MastraDBMessage[]> {
    const stored = await this.#messages.find(updates.map(({ id }) => id));
    const updated = stored.map((message) =>
      updates.filter(({ id }) => id === message.id).reduce(messageUpdate, message),
    );
    await this.#messages.save(updated);
    await this.#touch([...stored, ...updated].map(threadIdOf));
    return updated;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    await this.#touch(await this.#messages.remove(messageIds));
  }

  override async getResourceById({
    resourceId,
  }: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    return this.#resources.get(resourceId);
  }

  override async saveResource({
    resource,
  }: {
    resource: StorageResourceType;
  }): Promise<StorageResourceType> {
    await this.#resources.put(resource.id, resource);
    return resource;
  }

  override async updateResource({
    resourceId,
    workingMemory,
    metadata,
  }: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Metadata;
  }): Promise<StorageResourceType> {
    const now = new Date();
    const updated = await this.#resources.change(resourceId, (resource) => {
      const known = resource ?? { id: resourceId, createdAt: now, updatedAt: now };
      const remembered = workingMemory === undefined ? known : { ...known, workingMemory };
      return { ...remembered, metadata: { ...resource?.metadata, ...metadata } };
    });
    return updated!;
  }

  /**
   * Answers a read of the newest messages of one thread without loading the thread. Returns undefined for
   * another read, or if the answer needs earlier messages.
   */
  async #newestMessages({
    threadId,
    resourceId,
    include = [],
    filter,
    perPage,
    page = 0,
    orderBy,
    includeTotal,
  }: StorageListMessagesInput): Promise<StorageListMessagesOutput | undefined> {
    const isSimple = include.length === 0 && filter === undefined && page === 0;
    const isNewest = orderBy?.direction === 'DESC' && includeTotal === false;
    if (!isSimple || !isNewest || typeof threadId !== 'string' || !perPage) return undefined;
    const { messages, count } = await this.#messages.of(threadId).last(perPage + 1);
    const own = messages.filter((message) => !resourceId || message.resourceId === resourceId);
    if (own.length <= perPage && count > messages.length) return undefined;
    const newest = own.slice(-perPage).reverse();
    return { messages: newest, total: own.length, page, perPage, hasMore: own.length > perPage };
  }

  /** Moves the `updatedAt` of threads to now; a thread that was not saved has none. */
  async #touch(threadIds: readonly string[]): Promise<void> {
    await inBatches([...new Set(threadIds)], (id) =>
      this.#threads.change(id, (thread) => thread ?? undefined),
    );
  }
}
