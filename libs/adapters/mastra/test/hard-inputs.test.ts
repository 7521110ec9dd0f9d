import { MaceClient } from '@mace-memory/client';
import type { MastraDBMessage } from '@mastra/core/memory';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  HARD_TEXTS,
  HARD_VALUES,
  isOverLong,
  JOINABLE_IDS,
  LOOKALIKES,
  stored,
  UNCARRIABLE_VALUES,
} from '../../../../test/support/hard-inputs.mjs';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryStorage } from '../src/index.js';
import { aMessage, at, aThread, idsOf, newStorage, textsOf } from './support.js';

const newClient = () =>
  new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub: `agent-${randomUUID()}` }) });

const withResult = (result: unknown): MastraDBMessage =>
  aMessage('thread', '', {
    content: {
      format: 2,
      parts: [
        {
          type: 'tool-invocation',
          toolInvocation: { state: 'result', toolCallId: 'c', toolName: 't', args: {}, result },
        },
      ],
    },
  });

const resultOf = ({ content }: MastraDBMessage): unknown =>
  (content.parts[0] as unknown as { toolInvocation: { result: unknown } }).toolInvocation.result;

describe('A text of a model or of a tool', () => {
  it('never costs the other messages of its turn, and its record counts what is missing', async () => {
    const storage = newStorage();
    const messages = HARD_TEXTS.map(({ text }, place) =>
      aMessage('thread', text, { createdAt: at(place) }),
    );
    await storage.saveMessages({ messages });
    const saved = await storage.listMessages({ threadId: 'thread', perPage: false });
    expect(idsOf(saved.messages)).toStrictEqual(idsOf(messages));
    const { items } = await storage.conversation('thread').items();
    for (const [place, { name, text }] of HARD_TEXTS.entries()) {
      const kept = textsOf(saved.messages)[place]!;
      const carried = (items[place]?.item as Record<string, unknown>)['$mace_carried'];
      if (!isOverLong(text)) expect(kept, name).toBe(stored(text));
      expect(carried === undefined, name).toBe(kept === text);
    }
  });

  it('in the metadata of a thread and in a resource is kept as well', async () => {
    for (const { name, text } of HARD_TEXTS) {
      const storage = newStorage();
      const thread = aThread({ title: 'A trip', metadata: { text } });
      await storage.saveThread({ thread });
      const resource = { id: 'ada', workingMemory: text, createdAt: at(0), updatedAt: at(0) };
      await storage.saveResource({ resource });
      const saved = await storage.getThreadById({ threadId: thread.id });
      expect(saved, name).toMatchObject({ title: 'A trip' });
      if (isOverLong(text)) continue;
      expect(saved!.metadata, name).toStrictEqual({ text: stored(text) });
      expect(await storage.getResourceById({ resourceId: 'ada' }), name).toMatchObject({
        workingMemory: stored(text),
      });
    }
  });
});

describe('A value of a tool', () => {
  it.each([
    ...HARD_VALUES,
    ...LOOKALIKES.map((value) => ({ name: JSON.stringify(value), value, kept: value })),
  ])('$name comes back as it was', async ({ value, kept }) => {
    const storage = newStorage();
    await storage.saveMessages({ messages: [withResult(value)] });
    const { messages } = await storage.listMessages({ threadId: 'thread' });
    expect(resultOf(messages[0]!)).toStrictEqual(kept);
    const thread = aThread({ metadata: { value } });
    await storage.saveThread({ thread });
    expect(await storage.getThreadById({ threadId: thread.id })).toMatchObject({
      metadata: { value: kept },
    });
  });

  it.each(UNCARRIABLE_VALUES)(
    '$name is refused by its place, and nothing is written',
    async ({ value }) => {
      const storage = newStorage();
      const messages = [aMessage('thread', 'Hello'), withResult(value)];
      const refused = storage.saveMessages({ messages });
      await expect(refused).rejects.toMatchObject({ name: 'UncarriableValue' });
      await expect(refused).rejects.toThrow('content.parts[0].toolInvocation.result');
      expect(await storage.listMessages({ threadId: 'thread' })).toMatchObject({ total: 0 });
      const thread = aThread({ metadata: { value } });
      await expect(storage.saveThread({ thread })).rejects.toThrow('metadata.value');
    },
  );
});

describe('Ids that become one text if they are joined', () => {
  it.each(JOINABLE_IDS.filter((pair) => pair.every((ids) => ids.every((id) => id !== ''))))(
    '%j and %j are two threads',
    async ([space, thread], [otherSpace, otherThread]) => {
      const client = newClient();
      const one = new MaceMemoryStorage(client, { namespace: [space] });
      const other = new MaceMemoryStorage(client, { namespace: [otherSpace] });
      await one.saveMessages({ messages: [aMessage(thread, 'Mine')] });
      await other.saveMessages({ messages: [aMessage(otherThread, 'Theirs')] });
      await other.deleteThread({ threadId: otherThread });
      const { messages } = await one.listMessages({ threadId: thread });
      expect(textsOf(messages)).toStrictEqual(['Mine']);
    },
  );

  it('are found where they were before, without what another namespace wrote there', async () => {
    const client = newClient();
    const jsonOf = (message: MastraDBMessage) => JSON.parse(JSON.stringify(message)) as object;
    const [mine, theirs] = [aMessage('a/b', 'Mine'), aMessage('b', 'Theirs')];
    await client.conversation('mastra/a/b').append([mine, theirs].map(jsonOf) as never);
    const storage = new MaceMemoryStorage(client);
    expect(textsOf((await storage.listMessages({ threadId: 'a/b' })).messages)).toStrictEqual([
      'Mine',
    ]);
    await storage.saveMessages({ messages: [aMessage('a/b', 'More', { createdAt: at(1) })] });
    const { messages } = await storage.listMessages({ threadId: 'a/b' });
    expect(textsOf(messages)).toStrictEqual(['Mine', 'More']);
    await storage.deleteThread({ threadId: 'a/b' });
    expect(await storage.listMessages({ threadId: 'a/b' })).toMatchObject({ total: 0 });
  });
});

describe('Pages over messages of one time', () => {
  it.each(['ASC', 'DESC'] as const)('in the order %s have each message once', async (direction) => {
    const storage = newStorage();
    const messages = Array.from({ length: 7 }, (_, place) => aMessage('thread', `${place}`));
    await storage.saveMessages({ messages });
    for (const includeTotal of [true, false]) {
      const seen: string[] = [];
      for (let page = 0; page < 4; page += 1) {
        const orderBy = { field: 'createdAt', direction } as const;
        const asked = { threadId: 'thread', perPage: 2, page, orderBy, includeTotal };
        seen.push(...textsOf((await storage.listMessages(asked)).messages).map(String));
      }
      const inOrder = [0, 1, 2, 3, 4, 5, 6].map(String);
      expect(seen).toStrictEqual(direction === 'ASC' ? inOrder : inOrder.reverse());
    }
  });
});

describe('Where a message is', () => {
  it('is no hit of a search', async () => {
    const client = newClient();
    const storage = new MaceMemoryStorage(client);
    const message = aMessage('zanzibar', 'Hello', { id: 'kilimanjaro', resourceId: 'serengeti' });
    await storage.saveMessages({ messages: [message] });
    for (const query of ['zanzibar', 'kilimanjaro', 'serengeti', 'messages'])
      expect((await client.search({ query })).hits).toStrictEqual([]);
  });

  it('is found where an earlier release has recorded it', async () => {
    const client = newClient();
    const message = aMessage('thread', 'Hello');
    const item = JSON.parse(JSON.stringify(message)) as never;
    await client.conversation('mastra/thread').append([item]);
    await client.notes.put(['mastra', 'messages'], message.id, { threadId: 'thread' });
    const storage = new MaceMemoryStorage(client);
    const found = async () =>
      (await storage.listMessagesById({ messageIds: [message.id] })).messages;
    expect(idsOf(await found())).toStrictEqual([message.id]);
    await storage.saveMessages({ messages: [{ ...message, threadId: 'other' }] });
    expect(await storage.listMessages({ threadId: 'thread' })).toMatchObject({ total: 0 });
    await storage.deleteMessages([message.id]);
    expect(await found()).toStrictEqual([]);
    expect(await storage.listMessages({ threadId: 'other' })).toMatchObject({ total: 0 });
  });
});
