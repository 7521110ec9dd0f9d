import type { MaceClient } from '@mace-memory/client';
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
import { inBatches } from './in-batches.js';
import { messageUpdate, type MessageUpdate } from './message-update.js';
import { Records } from './records.js';
import { ThreadMessages } from './thread-messages.js';

type Stored<Type> = {
  readonly [Name in keyof Type]: Type[Name] extends Date ? string : Type[Name];
};

/** The thread and the resource of a message. */
interface MessagePlace {
  readonly threadId: string;
  readonly resourceId?: string | undefined;
}

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
  readonly #client: MaceClient;
  readonly #namespace: readonly string[];
  readonly #threads: Records<Stored<StorageThreadType>>;
  readonly #resources: Records<Stored<StorageResourceType>>;
  /** Where each message is, by its id. */
  readonly #places: Records<MessagePlace>;

  /** @param client a client of the service; its token decides whose memory this is */
  constructor(client: MaceClient, { namespace = ['mastra'] }: MaceMemoryStorageOptions = {}) {
    super();
    this.#client = client;
    this.#namespace = namespace;
    this.#threads = new Records(client, [...namespace, 'threads']);
    this.#resources = new Records(client, [...namespace, 'resources']);
    this.#places = new Records(client, [...namespace, 'messages']);
  }

  /** Returns the conversation with the messages of a thread, for replays, exports and earlier versions. */
  conversation(threadId: string) {
    return this.#client.conversation([...this.#namespace, threadId].join('/'));
  }

  /** Removes everything under the namespace. The log keeps it. */
  async dangerouslyClearAll(): Promise<void> {
    const threads = new Set<string>();
    for await (const { key } of this.#threads.all()) threads.add(key);
    for await (const { key, value } of this.#places.all()) {
      threads.add(value.threadId);
      await this.#places.delete(key);
    }
    await inBatches([...threads], async (threadId) => {
      await this.#threads.delete(threadId);
      await this.#messages(threadId).clear();
    });
    for await (const { key } of this.#resources.all()) await this.#resources.delete(key);
  }

  override async getThreadById({
    threadId,
    resourceId,
  }: {
    threadId: string;
    resourceId?: string;
  }): Promise<StorageThreadType | null> {
    const stored = await this.#threads.get(threadId);
    if (stored === undefined || (resourceId !== undefined && stored.resourceId !== resourceId))
      return null;
    return threadOf(stored);
  }

  override async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    await this.#threads.put(thread.id, storedOf(thread));
    return thread;
  }

  override async updateThread({
    id,
    title,
    metadata,
  }: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    const updated = await this.#changeThread(id, (thread) => ({
      ...thread,
      ...(title === undefined ? {} : { title }),
      metadata: { ...thread.metadata, ...metadata },
    }));
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
    update: (thread: StorageThreadType) => Record<string, unknown> | undefined;
  }): Promise<StorageThreadType | null> {
    const updated = await this.#changeThread(id, (thread) => {
      if (resourceId !== undefined && thread.resourceId !== resourceId) return undefined;
      const metadata = update(thread);
      return metadata && { ...thread, metadata: { ...thread.metadata, ...metadata } };
    });
    return updated ?? this.getThreadById({ threadId: id, ...(resourceId && { resourceId }) });
  }

  override async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    const thread = this.#messages(threadId);
    const { messages } = await thread.last();
    await this.#threads.delete(threadId);
    if (messages.length === 0) return;
    await thread.clear();
    await inBatches(messages, ({ id }) => this.#places.delete(id));
  }

  override async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const loaded = new InMemoryDB();
    for await (const { key, value } of this.#threads.all())
      loaded.threads.set(key, threadOf(value));
    return new InMemoryMemory({ db: loaded }).listThreads(args);
  }

  override async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const threadIds = [args.threadId].flat();
    return (
      (await this.#lastMessages(args)) ??
      (await this.#loaded(threadIds, args.include)).listMessages(args)
    );
  }

  override async listMessagesByResourceId(
    args: StorageListMessagesByResourceIdInput,
  ): Promise<StorageListMessagesOutput> {
    const threadIds = new Set<string>();
    for await (const { value } of this.#places.all())
      if (value.resourceId === args.resourceId) threadIds.add(value.threadId);
    const loaded = await this.#loaded([...threadIds], args.include);
    return loaded.listMessagesByResourceId(args);
  }

  override async listMessagesById({ messageIds }: { messageIds: string[] }) {
    const places = await this.#placesOf(messageIds);
    const threadIds = [...new Set([...places.values()].map(({ threadId }) => threadId))];
    return (await this.#loaded(threadIds)).listMessagesById({ messageIds });
  }

  override async saveMessages({ messages }: { messages: MastraDBMessage[] }) {
    for (const [threadId, ofThread] of grouped(messages, threadIdOf)) {
      const { added, others } = await this.#claimPlaces(ofThread);
      const thread = this.#messages(threadId);
      if (added.size === ofThread.length) await thread.add(ofThread);
      else await thread.change((stored) => withAll(stored, ofThread));
      for (const [otherId, ids] of others)
        await this.#messages(otherId).change((stored) => stored.filter(({ id }) => !ids.has(id)));
      await this.#touch(threadId);
    }
    return { messages };
  }

  override async updateMessages({
    messages: updates,
  }: {
    messages: MessageUpdate[];
  }): Promise<MastraDBMessage[]> {
    const stored = await this.#find(updates.map(({ id }) => id));
    const updated = stored.map((message) =>
      updates.filter(({ id }) => id === message.id).reduce(messageUpdate, message),
    );
    await this.saveMessages({ messages: updated });
    for (const threadId of new Set(stored.map(threadIdOf)))
      if (!updated.some((message) => message.threadId === threadId)) await this.#touch(threadId);
    return updated;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    const places = await this.#placesOf(messageIds);
    for (const [threadId, entries] of grouped([...places], ([, place]) => place.threadId)) {
      const ids = new Set(entries.map(([id]) => id));
      await this.#messages(threadId).change((stored) => stored.filter(({ id }) => !ids.has(id)));
      await inBatches([...ids], (id) => this.#places.delete(id));
      await this.#touch(threadId);
    }
  }

  override async copyThread(args: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    const { sourceThreadId, newThreadId = randomUUID() } = args;
    const source = await this.getThreadById({ threadId: sourceThreadId });
    if (source === null) throw new Error(`Source thread with id ${sourceThreadId} not found`);
    if ((await this.#threads.get(newThreadId)) !== undefined)
      throw new Error(`Thread with id ${newThreadId} already exists`);
    const loaded = await this.#loaded([sourceThreadId]);
    await loaded.saveThread({ thread: source });
    const copy = await loaded.copyThread({ ...args, newThreadId });
    const { messages } = await loaded.listMessages({ threadId: newThreadId, perPage: false });
    await this.saveThread({ thread: copy.thread });
    if (messages.length > 0) await this.saveMessages({ messages });
    return {
      ...copy,
      thread: (await this.getThreadById({ threadId: newThreadId })) ?? copy.thread,
    };
  }

  override async getResourceById({
    resourceId,
  }: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    const stored = await this.#resources.get(resourceId);
    return stored === undefined ? null : resourceOf(stored);
  }

  override async saveResource({
    resource,
  }: {
    resource: StorageResourceType;
  }): Promise<StorageResourceType> {
    await this.#resources.put(resource.id, storedOf(resource));
    return resource;
  }

  override async updateResource({
    resourceId,
    workingMemory,
    metadata,
  }: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const now = new Date().toISOString();
    const updated = await this.#resources.change(resourceId, (stored) => ({
      ...(stored ?? { id: resourceId, createdAt: now }),
      ...(workingMemory === undefined ? {} : { workingMemory }),
      metadata: { ...stored?.metadata, ...metadata },
      updatedAt: now,
    }));
    return resourceOf(updated!);
  }

  #messages(threadId: string): ThreadMessages {
    return new ThreadMessages(this.conversation(threadId));
  }

  /** Returns Mastra's in-memory storage with the messages of some threads, and of those that `include` names. */
  async #loaded(
    threadIds: readonly string[],
    include: StorageListMessagesInput['include'] = [],
  ): Promise<InMemoryMemory> {
    const included = await this.#placesOf(include.map(({ id }) => id));
    const all = new Set(threadIds);
    for (const { threadId } of included.values()) all.add(threadId);
    const memory = new InMemoryMemory({ db: new InMemoryDB() });
    await inBatches([...all], async (threadId) => {
      const { messages } = await this.#messages(threadId).last();
      if (messages.length > 0) await memory.saveMessages({ messages });
    });
    return memory;
  }

  /**
   * Answers a read of the newest messages of one thread without loading the thread. Returns undefined for
   * another read, or if the answer needs earlier messages.
   */
  async #lastMessages({
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
    const { messages, count } = await this.#messages(threadId).last(perPage + 1);
    const own = messages.filter((message) => !resourceId || message.resourceId === resourceId);
    if (own.length <= perPage && count > messages.length) return undefined;
    const newest = own.slice(-perPage).reverse();
    const hasMore = own.length > perPage;
    return { messages: newest, total: own.length, page, perPage, hasMore };
  }

  /** Returns the messages with some ids, wherever they are. */
  async #find(ids: readonly string[]): Promise<MastraDBMessage[]> {
    const places = await this.#placesOf(ids);
    const found: MastraDBMessage[] = [];
    for (const threadId of new Set([...places.values()].map((place) => place.threadId))) {
      const { messages } = await this.#messages(threadId).last();
      found.push(...messages.filter(({ id }) => places.has(id)));
    }
    return found;
  }

  /** Returns where messages are; ids that are not known are left out. */
  async #placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, MessagePlace>> {
    const places = new Map<string, MessagePlace>();
    await inBatches([...new Set(ids)], async (id) => {
      const place = await this.#places.get(id);
      if (place !== undefined) places.set(id, place);
    });
    return places;
  }

  /**
   * Records that messages are in their threads. Returns the ids of new messages, and for each other thread
   * the ids of those that were there.
   */
  async #claimPlaces(messages: readonly MastraDBMessage[]) {
    const added = new Set<string>();
    const others = new Map<string, Set<string>>();
    await inBatches(messages, async (message) => {
      const place = { threadId: threadIdOf(message), resourceId: message.resourceId };
      if (await this.#places.add(message.id, place)) return void added.add(message.id);
      let before: MessagePlace | undefined;
      await this.#places.change(message.id, (stored) => {
        before = stored;
        const isSame =
          stored?.threadId === place.threadId && stored.resourceId === place.resourceId;
        return isSame ? undefined : place;
      });
      if (before === undefined || before.threadId === place.threadId) return;
      others.set(before.threadId, (others.get(before.threadId) ?? new Set()).add(message.id));
    });
    return { added, others };
  }

  async #changeThread(
    id: string,
    change: (thread: StorageThreadType) => StorageThreadType | undefined,
  ): Promise<StorageThreadType | undefined> {
    const updated = await this.#threads.change(id, (stored) => {
      const thread = stored && change(threadOf(stored));
      return thread && storedOf({ ...thread, updatedAt: laterThan(threadOf(stored).updatedAt) });
    });
    return updated && threadOf(updated);
  }

  /** Moves the `updatedAt` of a thread, if there is one, to now. */
  async #touch(threadId: string): Promise<void> {
    await this.#changeThread(threadId, (thread) => thread);
  }
}

/** Returns the time now, or just after another time. */
const laterThan = (time: Date): Date => new Date(Math.max(Date.now(), time.getTime() + 1));

function threadIdOf({ id, threadId }: MastraDBMessage): string {
  if (!threadId) throw new Error(`Message ${id} has no threadId`);
  return threadId;
}

/** Returns stored messages with others in place of those that have their ids, and the rest at the end. */
function withAll(
  stored: readonly MastraDBMessage[],
  messages: readonly MastraDBMessage[],
): MastraDBMessage[] {
  const all = new Map(stored.map((message) => [message.id, message]));
  for (const message of messages) all.set(message.id, message);
  return [...all.values()];
}

function grouped<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}

const storedOf = <Type extends { createdAt: Date; updatedAt: Date }>(value: Type): Stored<Type> =>
  JSON.parse(JSON.stringify(value)) as Stored<Type>;

const timesOf = ({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }) => ({
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

const threadOf = (stored: Stored<StorageThreadType>): StorageThreadType => ({
  ...stored,
  ...timesOf(stored),
});

const resourceOf = (stored: Stored<StorageResourceType>): StorageResourceType => ({
  ...stored,
  ...timesOf(stored),
});
