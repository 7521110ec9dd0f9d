import type { ConversationHandle, Json } from '@mace-memory/client';
import type { MastraDBMessage } from '@mastra/core/memory';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { jsonOf, succeeds } from './records.js';

/** The limits of one request: items, and bytes of their JSON. */
const REQUEST_ITEMS = 500;
const REQUEST_BYTES = 600_000;
/** How many of the last messages an append looks at: another writer may just have added the same ones. */
const TAIL_MESSAGES = 50;

/** The messages of a thread, oldest first: one conversation whose items are ordered by their creation. */
export class ThreadMessages {
  constructor(private readonly conversation: ConversationHandle) {}

  /** Returns the last messages, by default all, and the number of all messages. */
  async last(limit?: number) {
    const { items, count, version } = await this.conversation.items(
      limit === undefined ? {} : { last: limit },
    );
    const stored = items.map(({ item }) => item).filter((item) => !isErased(item));
    return { messages: stored.map(messageOf), count, version };
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
      if (await this.#append(sorted.map(jsonOf), version)) return;
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

  /** Changes the list of messages, and decides again if another writer came first. */
  async #change(
    change: (messages: readonly MastraDBMessage[]) => readonly MastraDBMessage[],
  ): Promise<void> {
    for (;;) {
      const { items, version } = await this.conversation.items();
      const before = items.map(({ item }) => item);
      const stored = before.filter((item) => !isErased(item)).map(messageOf);
      const after = byCreation(change(stored)).map(jsonOf);
      if (await this.#replace(before, after, version)) return;
    }
  }

  /** Appends items. Returns false if the conversation has moved on before the first of them. */
  async #append(items: readonly Json[], version: number): Promise<boolean> {
    const [first = [], ...rest] = requestsOf(items);
    const isFirst = await succeeds(() =>
      this.conversation.append(first, { expectedVersion: version }),
    );
    if (isFirst) for (const chunk of rest) await this.conversation.append(chunk);
    return isFirst;
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
        this.conversation.transact(
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
  [...messages].sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime());

/** An erased item has no field but this. */
const isErased = (item: Json): boolean => isDeepStrictEqual(item, { erased: true });

function messageOf(item: Json): MastraDBMessage {
  const stored = item as unknown as Omit<MastraDBMessage, 'createdAt'> & { createdAt: string };
  return { ...stored, createdAt: new Date(stored.createdAt) };
}

/** Splits items into lists that fit into one request each; at least one list. */
function requestsOf(items: readonly Json[]): Json[][] {
  let current: Json[] = [];
  const requests = [current];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (current.length === REQUEST_ITEMS || (current.length > 0 && bytes + size > REQUEST_BYTES)) {
      current = [];
      requests.push(current);
      bytes = 0;
    }
    current.push(item);
    bytes += size;
  }
  return requests;
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
