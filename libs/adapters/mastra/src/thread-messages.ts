import {
  type ConversationHandle,
  ERASED,
  isErased,
  type Json,
  recordOf,
  requestsOf,
  valueOf,
  writtenWithin,
} from '@mace-memory/client';
import type { MastraDBMessage } from '@mastra/core/memory';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isoTime } from './dated-records.js';
import { succeeds } from './records.js';

/** How many of the last messages an append looks at: another writer may just have added the same ones. */
const TAIL_MESSAGES = 50;

interface Thread {
  readonly threadId: string;
  readonly resourceId: string | undefined;
  readonly conversation: ConversationHandle;
  /** Where an earlier release kept the messages, perhaps with those of other threads. */
  readonly earlier: ConversationHandle | undefined;
}

interface StoredMessage {
  readonly message: MastraDBMessage;
  readonly item: Json;
}

/** The messages of a thread, oldest first: one conversation whose items are ordered by their creation. */
export class ThreadMessages {
  readonly #thread: Thread;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Returns the last messages, by default all, and the number of all messages. */
  async last(limit?: number) {
    const { stored, count, version } = await this.#read(limit);
    return { messages: stored.map(({ message }) => message), count, version };
  }

  /** Adds messages that the thread does not have yet, unless another writer has added them meanwhile. */
  async add(messages: readonly MastraDBMessage[]): Promise<void> {
    const sorted = byCreation(messages);
    const ids = new Set(sorted.map(({ id }) => id));
    for (;;) {
      const { messages: tail, version } = await this.last(TAIL_MESSAGES);
      const isKnown = tail.some(({ id }) => ids.has(id));
      const isLater = tail.every((message) => message.createdAt <= sorted[0]!.createdAt);
      if (isKnown || !isLater) return this.put(messages);
      if (await this.#append(sorted, version)) return;
    }
  }

  /** Adds messages in place of those that have their ids. */
  put(messages: readonly MastraDBMessage[]): Promise<void> {
    return this.#change((stored) => {
      const all = new Map(stored.map((message) => [message.id, message]));
      for (const message of messages) all.set(message.id, message);
      return [...all.values()];
    });
  }

  remove(ids: ReadonlySet<string>): Promise<void> {
    return this.#change((stored) => stored.filter(({ id }) => !ids.has(id)));
  }

  /** Returns the last messages with their items. It first takes over what an earlier release has kept elsewhere. */
  async #read(limit?: number) {
    const { conversation, earlier } = this.#thread;
    for (;;) {
      const { items, count, version } = await conversation.items(
        limit === undefined ? {} : { last: limit },
      );
      if (version > 0 || earlier === undefined || !(await this.#takeOver(earlier)))
        return { stored: this.#storedOf(items), count, version };
    }
  }

  /** Returns true if the thread has messages of an earlier release now. */
  async #takeOver(earlier: ConversationHandle): Promise<boolean> {
    const { threadId } = this.#thread;
    const { items } = await earlier.items();
    const own = this.#storedOf(items).filter(({ message, item }) =>
      isErased(item) ? false : message.threadId === threadId,
    );
    if (own.length > 0)
      await this.#append(
        own.map(({ message }) => message),
        0,
      );
    return own.length > 0;
  }

  /** Returns messages with their items. For one that was erased stands a message at its place. */
  #storedOf(
    items: readonly { readonly index: number; readonly item: Json; readonly at: string }[],
  ) {
    const { threadId, resourceId } = this.#thread;
    const stored: StoredMessage[] = [];
    const first = items.find(({ item }) => !isErased(item));
    const begin = first && messageOf(first.item).createdAt;
    for (const { index, item, at } of items) {
      const createdAt = stored.at(-1)?.message.createdAt ?? begin ?? new Date(at);
      const parts = [{ type: 'text' as const, text: ERASED }];
      const message: MastraDBMessage = isErased(item)
        ? {
            ...{ id: `${ERASED}-${index}`, threadId, role: 'system', createdAt },
            ...(resourceId !== undefined && { resourceId }),
            content: { format: 2, parts, content: ERASED },
          }
        : messageOf(item);
      stored.push({ message, item });
    }
    return stored;
  }

  /** Changes the list of messages, and decides again if another writer came first. */
  async #change(
    change: (messages: readonly MastraDBMessage[]) => readonly MastraDBMessage[],
  ): Promise<void> {
    for (;;) {
      const { stored, version } = await this.#read();
      const known = new Map(stored.map(({ message, item }) => [message, item]));
      const after = byCreation(change(stored.map(({ message }) => message)));
      const before = stored.map(({ item }) => item);
      const isWritten = await writtenWithin((maxBytes) =>
        this.#replace(
          before,
          after.map((message) => known.get(message) ?? recordOfMessage(message, maxBytes)),
          version,
        ),
      );
      if (isWritten) return;
    }
  }

  /** Appends messages. Returns false if the conversation has moved on before the first of them. */
  async #append(messages: readonly MastraDBMessage[], version: number): Promise<boolean> {
    const { conversation } = this.#thread;
    let start = 0;
    for (const { length } of requestsOf(messages.map((message) => recordOfMessage(message)))) {
      const request = messages.slice(start, start + length);
      const append = () =>
        writtenWithin((maxBytes) =>
          conversation.append(
            request.map((message) => recordOfMessage(message, maxBytes)),
            start === 0 ? { expectedVersion: version } : {},
          ),
        );
      if (start > 0) await append();
      else if (!(await succeeds(append))) return false;
      start += length;
    }
    return true;
  }

  /** Replaces the range in which the lists differ. Returns false if the conversation has moved on. */
  async #replace(
    before: readonly Json[],
    after: readonly Json[],
    version: number,
  ): Promise<boolean> {
    const { from, to, items } = differenceOf(before, after);
    if (from === to && items.length === 0) return true;
    let [start, end, expectedVersion] = [from, to, version];
    for (const chunk of requestsOf(items)) {
      const isWritten = await succeeds(() =>
        this.#thread.conversation.transact(
          { operation_id: randomUUID(), from: start, to: end, items: chunk },
          { expectedVersion },
        ),
      );
      if (!isWritten) return false;
      start += chunk.length;
      end = start;
      expectedVersion += 1;
    }
    return true;
  }
}

const byCreation = (messages: readonly MastraDBMessage[]): MastraDBMessage[] =>
  [...messages].sort((left, right) => timeOf(left) - timeOf(right));

const timeOf = ({ createdAt }: MastraDBMessage): number => new Date(createdAt).getTime();

/** Returns a message as an item of a conversation. @throws UncarriableValue as `recordOf` does */
export const recordOfMessage = (message: MastraDBMessage, maxBytes?: number): Json =>
  recordOf(
    { ...message, createdAt: isoTime(message, 'createdAt') },
    maxBytes === undefined ? {} : { maxBytes },
  );

function messageOf(item: Json): MastraDBMessage {
  const stored = valueOf(item) as Omit<MastraDBMessage, 'createdAt'> & { createdAt: string };
  return { ...stored, createdAt: new Date(stored.createdAt) };
}

/** Returns the range of a list that must be replaced to get another one. */
function differenceOf(before: readonly Json[], after: readonly Json[]) {
  const shorter = Math.min(before.length, after.length);
  const same = (left: number, right: number) => isDeepStrictEqual(before.at(left), after.at(right));
  let from = 0;
  while (from < shorter && same(from, from)) from += 1;
  let kept = 0;
  while (kept < shorter - from && same(-1 - kept, -1 - kept)) kept += 1;
  const items = after.slice(from, after.length - kept);
  return { from, to: before.length - kept, items };
}
