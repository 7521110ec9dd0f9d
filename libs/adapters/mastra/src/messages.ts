import {
  type ConversationHandle,
  type Json,
  type MaceClient,
  recordOf,
  valueOf,
} from '@mace-memory/client';
import type { MastraDBMessage } from '@mastra/core/memory';
import { InMemoryDB, InMemoryMemory } from '@mastra/core/storage';
import { inBatches } from './in-batches.js';
import { Records } from './records.js';
import { recordOfMessage, ThreadMessages } from './thread-messages.js';
import { createHash } from 'node:crypto';

const MAX_LENGTH = 256;

/** The characters that are escaped: the separator, the sign of an escape, and what an id cannot have. */
const ESCAPED = /[%/\u0000\p{Surrogate}]/gu;
const UNCARRIABLE = /[\u0000\p{Surrogate}]/u;

const escaped = (component: string): string =>
  component.replace(
    ESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')};`,
  );

/** Returns the id of the conversation of a thread. No other namespace and thread have the same one. */
function conversationIdOf(namespace: readonly string[], threadId: string): string {
  const id = [...namespace, threadId].map(escaped).join('/');
  if (id.length <= MAX_LENGTH || escaped(threadId) === threadId) return id;
  const hash = createHash('sha256').update(JSON.stringify(threadId)).digest('hex');
  return [...namespace.map(escaped), `%${hash}`].join('/');
}

/** Returns the id of a conversation as earlier releases joined it; undefined if it is the same. */
function joinedIdOf(namespace: readonly string[], threadId: string): string | undefined {
  const joined = [...namespace, threadId].join('/');
  const isSame = joined === conversationIdOf(namespace, threadId);
  return isSame || joined.length > MAX_LENGTH || UNCARRIABLE.test(joined) ? undefined : joined;
}

/** The thread and the resource of a message. */
interface MessagePlace {
  readonly threadId: string;
  readonly resourceId?: string | undefined;
}

/** The messages of all threads, and where each of them is. */
export class Messages {
  readonly #client: MaceClient;
  readonly #namespace: readonly string[];
  /** Where each message is, by its id. */
  readonly #places: Records<MessagePlace>;

  constructor(client: MaceClient, namespace: readonly string[]) {
    this.#client = client;
    this.#namespace = namespace;
    const earlier = [...namespace, 'messages'];
    // No search finds a note of a namespace that begins with a dot.
    this.#places = new Records(client, [...namespace, '.messages'], earlier);
  }

  conversation(threadId: string): ConversationHandle {
    return this.#client.conversation(conversationIdOf(this.#namespace, threadId));
  }

  /** Returns the messages of a thread; where one was erased, a message of this resource stands for it. */
  of(threadId: string, resourceId?: string): ThreadMessages {
    const joined = joinedIdOf(this.#namespace, threadId);
    return new ThreadMessages({
      threadId,
      resourceId,
      conversation: this.conversation(threadId),
      earlier: joined === undefined ? undefined : this.#client.conversation(joined),
    });
  }

  /** Returns the threads with messages of a resource, or of any resource. */
  async threadIds(resourceId?: string): Promise<string[]> {
    const ids = new Set<string>();
    for await (const { value } of this.#places.all())
      if (value !== undefined && (resourceId === undefined || value.resourceId === resourceId))
        ids.add(value.threadId);
    return [...ids];
  }

  /**
   * Returns Mastra's in-memory storage with the messages of some threads, and of those with other messages. It keeps
   * JSON, so the messages in it are packed.
   */
  async loaded(
    threadIds: readonly string[],
    {
      messageIds = [],
      resourceId,
      isNewestFirst = false,
    }: {
      readonly messageIds?: readonly string[];
      readonly resourceId?: string | undefined;
      /** True if messages of one time are asked for in the reverse order. */
      readonly isNewestFirst?: boolean;
    } = {},
  ): Promise<InMemoryMemory> {
    const places = await this.#placesOf(messageIds);
    const all = new Set([...threadIds, ...[...places.values()].map(({ threadId }) => threadId)]);
    const memory = new InMemoryMemory({ db: new InMemoryDB() });
    await inBatches([...all], async (threadId) => {
      const { messages } = await this.of(threadId, resourceId).last();
      if (isNewestFirst) messages.reverse();
      if (messages.length > 0) await memory.saveMessages({ messages: messages.map(packed) });
    });
    return memory;
  }

  /** Returns the messages with some ids, wherever they are. */
  async find(ids: readonly string[]): Promise<MastraDBMessage[]> {
    const places = await this.#placesOf(ids);
    const found: MastraDBMessage[] = [];
    for (const threadId of new Set([...places.values()].map((place) => place.threadId))) {
      const { messages } = await this.of(threadId).last();
      found.push(...messages.filter(({ id }) => places.has(id)));
    }
    return found;
  }

  /**
   * Adds messages to their threads, in place of those with the same ids, also in other threads. Returns the
   * ids of the threads.
   */
  async save(messages: readonly MastraDBMessage[]): Promise<string[]> {
    const groups = grouped(messages, threadIdOf);
    for (const message of messages) recordOfMessage(message);
    for (const [threadId, ofThread] of groups) {
      const { added, others } = await this.#claimPlaces(ofThread);
      if (added.size === ofThread.length) await this.of(threadId).add(ofThread);
      else await this.of(threadId).put(ofThread);
      for (const [otherId, ids] of others) await this.of(otherId).remove(ids);
    }
    return [...groups.keys()];
  }

  /** Removes the messages with some ids. Returns the ids of their threads. */
  async remove(ids: readonly string[]): Promise<string[]> {
    const places = await this.#placesOf(ids);
    const groups = grouped([...places], ([, { threadId }]) => threadId);
    for (const [threadId, entries] of groups) {
      const ofThread = new Set(entries.map(([id]) => id));
      await this.of(threadId).remove(ofThread);
      await inBatches([...ofThread], (id) => this.#places.delete(id));
    }
    return [...groups.keys()];
  }

  /** Removes all messages of a thread. */
  async clear(threadId: string): Promise<void> {
    const { messages, count } = await this.of(threadId).last();
    if (count === 0) return;
    await this.conversation(threadId).clear();
    await inBatches(messages, ({ id }) => this.#places.delete(id));
  }

  /** Returns where messages are; ids that are not known are left out. */
  async #placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, MessagePlace>> {
    const places = new Map<string, MessagePlace>();
    await inBatches([...new Set(ids)], async (id) => {
      const place = await this.#places.find(id);
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
        const { threadId, resourceId } = place;
        return stored?.threadId === threadId && stored.resourceId === resourceId
          ? undefined
          : place;
      });
      if (before === undefined || before.threadId === place.threadId) return;
      others.set(before.threadId, (others.get(before.threadId) ?? new Set()).add(message.id));
    });
    return { added, others };
  }
}

export function threadIdOf({ id, threadId }: MastraDBMessage): string {
  if (!threadId) throw new Error(`Message ${id} has no threadId`);
  return threadId;
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

type Content = MastraDBMessage['content'];

/** Returns a message whose content is JSON. */
const packed = (message: MastraDBMessage): MastraDBMessage => ({
  ...message,
  content: recordOf(message.content, { maxBytes: Infinity }) as unknown as Content,
});

/** Returns the message that `packed` made another one of. */
export const unpacked = (message: MastraDBMessage): MastraDBMessage => ({
  ...message,
  content: valueOf(message.content as unknown as Json) as Content,
});
