import {
  type ConversationHandle,
  ERASED,
  type MaceClient,
  requireArguments,
} from '@mace-memory/client';
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
import { Messages, threadIdOf, unpacked } from './messages.js';

/** A partial update of a message, as Mastra defines it. */
type MessageUpdate = Parameters<MemoryStorage['updateMessages']>[0]['messages'][number];

/** Returns a message with an update: its content and the content's metadata are merged, not replaced. */
function messageUpdate(message: MastraDBMessage, update: MessageUpdate): MastraDBMessage {
  const { id: _, content, ...fields } = update;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const metadata = { ...message.content.metadata, ...content?.metadata };
  return {
    ...message,
    ...(Object.fromEntries(given) as Partial<MastraDBMessage>),
    ...(content === undefined
      ? {}
      : {
          content: {
            ...message.content,
            ...content,
            ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
          },
        }),
  };
}

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
  constructor(client: MaceClient, options: MaceMemoryStorageOptions = {}) {
    super();
    requireArguments({ client, options }, { client: 'object', options: 'object' });
    requireArguments(options, { namespace: 'names?' }, 'options');
    const { namespace = ['mastra'] } = options;
    this.#threads = new DatedRecords(client, [...namespace, 'threads']);
    this.#resources = new DatedRecords(client, [...namespace, 'resources']);
    this.#messages = new Messages(client, namespace);
  }

  /** Returns the conversation with the messages of a thread, for replays, exports and earlier versions. */
  conversation(threadId: string): ConversationHandle {
    requireArguments({ threadId }, { threadId: 'name' });
    return this.#messages.conversation(threadId);
  }

  /** Removes everything under the namespace. The log keeps it. */
  async dangerouslyClearAll(): Promise<void> {
    await inBatches(await this.#messages.threadIds(), (id) => this.#messages.clear(id));
    for await (const { id } of this.#threads.all(erasedThread)) await this.#threads.delete(id);
    for await (const { id } of this.#resources.all(erasedRecord)) await this.#resources.delete(id);
  }

  override async getThreadById(asked: {
    threadId: string;
    resourceId?: string;
  }): Promise<StorageThreadType | null> {
    requireArguments(asked, { threadId: 'name', resourceId: 'text?' });
    const thread = await this.#threads.get(asked.threadId);
    const isOther = asked.resourceId !== undefined && thread?.resourceId !== asked.resourceId;
    return isOther ? null : thread;
  }

  override async saveThread(args: { thread: StorageThreadType }): Promise<StorageThreadType> {
    requireArguments(args, { thread: 'object' });
    const { thread } = args;
    requireArguments(thread, { id: 'newId', resourceId: 'text', metadata: 'object?' }, 'thread');
    await this.#threads.put(thread.id, thread);
    return thread;
  }

  override async updateThread(args: {
    id: string;
    title?: string;
    metadata?: Metadata;
  }): Promise<StorageThreadType> {
    requireArguments(args, { id: 'name', title: 'text?', metadata: 'object?' });
    const { id, title, metadata } = args;
    const updated = await this.#threads.change(id, (thread) => {
      if (thread === null) return undefined;
      const titled = title === undefined ? thread : { ...thread, title };
      return { ...titled, metadata: { ...thread.metadata, ...metadata } };
    });
    if (updated !== undefined) return updated;
    // A thread that was erased fails with MaceErased here.
    await this.#threads.get(id);
    throw new Error(`Thread with id ${id} not found`);
  }

  /** Changes a thread's metadata in one step, whatever other processes do. */
  override async updateThreadMetadata(args: {
    id: string;
    resourceId?: string;
    update: (thread: StorageThreadType) => Metadata | undefined;
  }): Promise<StorageThreadType | null> {
    requireArguments(args, { id: 'name', resourceId: 'text?', update: 'function' });
    const { id, resourceId, update } = args;
    const updated = await this.#threads.change(id, (thread) => {
      const isOther = resourceId !== undefined && thread?.resourceId !== resourceId;
      if (thread === null || isOther) return undefined;
      const metadata = update(thread);
      return metadata && { ...thread, metadata: { ...thread.metadata, ...metadata } };
    });
    return updated ?? this.getThreadById({ threadId: id, ...(resourceId && { resourceId }) });
  }

  override async deleteThread(args: { threadId: string }): Promise<void> {
    requireArguments(args, { threadId: 'name' });
    const { threadId } = args;
    await this.#threads.delete(threadId);
    await this.#messages.clear(threadId);
  }

  override async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    requireArguments(args, LISTED);
    const db = new InMemoryDB();
    for await (const thread of this.#threads.all(erasedThread)) db.threads.set(thread.id, thread);
    return new InMemoryMemory({ db }).listThreads(args);
  }

  override async copyThread(args: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    requireArguments(args, { sourceThreadId: 'id', newThreadId: 'newId?', resourceId: 'text?' });
    requireArguments(args, { title: 'text?', metadata: 'object?', options: 'object?' });
    const { sourceThreadId, newThreadId = randomUUID() } = args;
    const source = await this.#threads.get(sourceThreadId);
    if (source === null) throw new Error(`Source thread with id ${sourceThreadId} not found`);
    if ((await this.#threads.get(newThreadId)) !== null)
      throw new Error(`Thread with id ${newThreadId} already exists`);
    const loaded = await this.#messages.loaded([sourceThreadId]);
    await loaded.saveThread({ thread: source });
    const copy = await loaded.copyThread({ ...args, newThreadId });
    const { messages } = await loaded.listMessages({ threadId: newThreadId, perPage: false });
    await this.#messages.save(messages.map(unpacked));
    await this.#threads.put(newThreadId, copy.thread);
    return copy;
  }

  override async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    requireArguments(args, LISTED);
    const threadIds = [args.threadId].flat();
    requireArguments({ threadId: threadIds }, { threadId: 'names' });
    for (const [place, one] of (args.include ?? []).entries())
      requireArguments(one, { id: 'name' }, `include[${place}]`);
    const newest = await this.#newestMessages(args);
    if (newest !== undefined) return newest;
    const loaded = await this.#messages.loaded(threadIds, loadOf(args));
    return unpackedList(await loaded.listMessages(args));
  }

  override async listMessagesByResourceId(
    args: StorageListMessagesByResourceIdInput,
  ): Promise<StorageListMessagesOutput> {
    requireArguments(args, { ...LISTED, resourceId: 'text' });
    const threadIds = await this.#messages.threadIds(args.resourceId);
    const loaded = await this.#messages.loaded(threadIds, loadOf(args));
    return unpackedList(await loaded.listMessagesByResourceId(args));
  }

  override async listMessagesById(args: { messageIds: string[] }) {
    requireArguments(args, { messageIds: 'names' });
    const { messageIds } = args;
    const loaded = await this.#messages.loaded([], { messageIds });
    return unpackedList(await loaded.listMessagesById({ messageIds }));
  }

  override async saveMessages(args: { messages: MastraDBMessage[] }) {
    requireArguments(args, { messages: 'objects' });
    const { messages } = args;
    for (const [place, message] of messages.entries()) {
      requireArguments(message, { id: 'id' }, `messages[${place}]`);
      threadIdOf(message);
      requireArguments(message, MESSAGE, `messages[${place}]`);
    }
    await this.#touch(await this.#messages.save(messages));
    return { messages };
  }

  override async updateMessages(args: { messages: MessageUpdate[] }): Promise<MastraDBMessage[]> {
    requireArguments(args, { messages: 'objects' });
    const { messages: updates } = args;
    for (const [place, update] of updates.entries())
      requireArguments(update, UPDATE, `messages[${place}]`);
    const stored = await this.#messages.find(updates.map(({ id }) => id));
    const updated = stored.map((message) =>
      updates.filter(({ id }) => id === message.id).reduce(messageUpdate, message),
    );
    await this.#messages.save(updated);
    await this.#touch([...stored, ...updated].map(threadIdOf));
    return updated;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    requireArguments({ messageIds }, { messageIds: 'names' });
    await this.#touch(await this.#messages.remove(messageIds));
  }

  override async getResourceById(args: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    requireArguments(args, { resourceId: 'name' });
    return this.#resources.get(args.resourceId);
  }

  override async saveResource(args: {
    resource: StorageResourceType;
  }): Promise<StorageResourceType> {
    requireArguments(args, { resource: 'object' });
    const { resource } = args;
    requireArguments(
      resource,
      { id: 'id', workingMemory: 'text?', metadata: 'object?' },
      'resource',
    );
    await this.#resources.put(resource.id, resource);
    return resource;
  }

  override async updateResource(args: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Metadata;
  }): Promise<StorageResourceType> {
    requireArguments(args, { resourceId: 'id', workingMemory: 'text?', metadata: 'object?' });
    const { resourceId, workingMemory, metadata } = args;
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
    const { messages, count } = await this.#messages.of(threadId, resourceId).last(perPage + 1);
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

/** Checks those arguments of lists that Mastra's in-memory storage does not check. */
const LISTED = {
  resourceId: 'text?',
  page: 'number?',
  include: 'objects?',
  filter: 'object?',
  orderBy: 'object?',
} as const;

const MESSAGE = { threadId: 'newId', role: 'name', content: 'object' } as const;

const UPDATE = { id: 'name', threadId: 'name?', role: 'name?', content: 'object?' } as const;

const erasedRecord = ({
  key: id,
  createdAt,
}: {
  readonly key: string;
  readonly createdAt: string;
}) => ({ id, createdAt: new Date(createdAt), updatedAt: new Date(createdAt) });

/** Stands in a list for a thread that was erased. */
const erasedThread = (record: Parameters<typeof erasedRecord>[0]): StorageThreadType => ({
  ...erasedRecord(record),
  resourceId: ERASED,
  title: ERASED,
});

const loadOf = ({
  include = [],
  resourceId,
  orderBy,
}: Pick<StorageListMessagesInput, 'include' | 'resourceId' | 'orderBy'>) => ({
  messageIds: include.map(({ id }) => id),
  resourceId,
  isNewestFirst: orderBy?.direction === 'DESC',
});

const unpackedList = <List extends { messages: MastraDBMessage[] }>(list: List): List => ({
  ...list,
  messages: list.messages.map(unpacked),
});
