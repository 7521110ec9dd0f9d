import type { MastraDBMessage } from '@mastra/core/memory';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aMessage, at, aThread, idsOf, newStorage, textsOf } from './support.js';

/** A storage with two threads; the first one has five messages, the second one has one. */
async function filled(sub?: string) {
  const storage = newStorage(sub);
  const [thread, other] = [aThread(), aThread()];
  for (const one of [thread, other]) await storage.saveThread({ thread: one });
  const { id, resourceId } = thread;
  const messages = [1, 2, 3, 4, 5].map((place) =>
    aMessage(id, `Message ${place}`, { resourceId, createdAt: at(place) }),
  );
  const elsewhere = aMessage(other.id, 'Elsewhere', {
    resourceId: other.resourceId,
    createdAt: at(6),
  });
  await storage.saveMessages({ messages: [...messages, elsewhere] });
  return { storage, thread, other, messages, elsewhere };
}

describe('Saved messages', () => {
  it('are read back as they were saved, oldest first', async () => {
    const { storage, thread, messages } = await filled();
    const list = await storage.listMessages({ threadId: thread.id });
    expect(list).toStrictEqual({
      messages: messages.map((message) => ({ ...message, type: 'text' })),
      total: 5,
      page: 0,
      perPage: 40,
      hasMore: false,
    });
  });

  it('are ordered by creation, also if they arrive late', async () => {
    const storage = newStorage();
    const [one, two, three] = [1, 2, 3].map((place) =>
      aMessage('thread', `${place}`, { createdAt: at(place) }),
    ) as [MastraDBMessage, MastraDBMessage, MastraDBMessage];
    await storage.saveMessages({ messages: [three, one] });
    await storage.saveMessages({ messages: [two] });
    const { messages } = await storage.listMessages({ threadId: 'thread' });
    expect(textsOf(messages)).toStrictEqual(['1', '2', '3']);
  });

  it('move the updatedAt of their thread', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    await storage.saveMessages({ messages: [aMessage(thread.id, 'Hello')] });
    const saved = await storage.getThreadById({ threadId: thread.id });
    expect(saved!.updatedAt.getTime()).toBeGreaterThan(thread.updatedAt.getTime());
  });

  it('with a known id replace the earlier ones', async () => {
    const { storage, thread, messages } = await filled();
    const changed = aMessage(thread.id, 'Changed', { ...messages[1]!, content: undefined! });
    changed.content = { format: 2, parts: [{ type: 'text', text: 'Changed' }], content: 'Changed' };
    const added = aMessage(thread.id, 'Added', { createdAt: at(9) });
    await storage.saveMessages({ messages: [changed, added] });
    const list = await storage.listMessages({ threadId: thread.id });
    expect(textsOf(list.messages)).toStrictEqual([
      'Message 1',
      'Changed',
      'Message 3',
      'Message 4',
      'Message 5',
      'Added',
    ]);
  });

  it('move with a known id from another thread', async () => {
    const { storage, thread, other, elsewhere } = await filled();
    await storage.saveMessages({ messages: [{ ...elsewhere, threadId: thread.id }] });
    expect(await storage.listMessages({ threadId: other.id })).toMatchObject({ total: 0 });
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 6 });
  });

  it('need a thread', async () => {
    const { threadId: _, ...message } = aMessage('x', 'Hello');
    await expect(newStorage().saveMessages({ messages: [message] })).rejects.toThrow(message.id);
    expect(await newStorage().saveMessages({ messages: [] })).toStrictEqual({ messages: [] });
  });

  it('keep a text that looks like JSON, tool calls and metadata as they are', async () => {
    const storage = newStorage();
    const text = JSON.stringify({ input: 'x', metadata: { key: 'value' } });
    const content: MastraDBMessage['content'] = {
      format: 2,
      content: text,
      metadata: { seen: true },
      parts: [
        { type: 'text', text },
        {
          type: 'tool-invocation',
          toolInvocation: {
            state: 'result',
            toolCallId: 'call-1',
            toolName: 'search',
            args: { city: 'Rome' },
            result: { found: [1, null] },
          },
        },
      ],
    };
    await storage.saveMessages({ messages: [aMessage('thread', '', { content })] });
    const { messages } = await storage.listMessages({ threadId: 'thread' });
    expect(messages[0]!.content).toStrictEqual(content);
  });

  it('with personal data are stored sealed, and read back whole', async () => {
    const storage = newStorage();
    await storage.saveMessages({ messages: [aMessage('thread', 'Ask ines.varga@fastmail.test')] });
    const { messages } = await storage.listMessages({ threadId: 'thread' });
    expect(textsOf(messages)).toStrictEqual(['Ask ines.varga@fastmail.test']);
    const bundle: string[] = [];
    for await (const line of storage.conversation('thread').bundle()) bundle.push(line);
    expect(bundle.join()).not.toContain('ines.varga');
  });

  it('are all kept when several processes save at the same time', async () => {
    const sub = `agent-${randomUUID()}`;
    const storages = [newStorage(sub), newStorage(sub), newStorage(sub)];
    await Promise.all(
      storages.map((storage, place) =>
        storage.saveMessages({ messages: [aMessage('thread', `${place}`)] }),
      ),
    );
    expect(await storages[0]!.listMessages({ threadId: 'thread' })).toMatchObject({ total: 3 });
  });

  it('are stored once when several processes save the same ones at the same time', async () => {
    const sub = `agent-${randomUUID()}`;
    const messages = [1, 2, 3].map((place) => aMessage('thread', `${place}`));
    await Promise.all(
      [newStorage(sub), newStorage(sub), newStorage(sub)].map((storage) =>
        storage.saveMessages({ messages }),
      ),
    );
    const { items } = await newStorage(sub).conversation('thread').items();
    expect(items).toHaveLength(3);
  });

  it('may be more than one request holds', async () => {
    const storage = newStorage();
    const long = 'word '.repeat(400);
    const messages = Array.from({ length: 700 }, (_, place) =>
      aMessage('thread', `${place} ${long}`, { createdAt: at(place) }),
    );
    await storage.saveMessages({ messages });
    const list = await storage.listMessages({ threadId: 'thread', perPage: false });
    expect(idsOf(list.messages)).toStrictEqual(idsOf(messages));
  });
});

describe('A list of messages', () => {
  it('is paged', async () => {
    const { storage, thread } = await filled();
    const page = async (number: number) =>
      storage.listMessages({ threadId: thread.id, page: number, perPage: 2 });
    expect(await page(0)).toMatchObject({ total: 5, page: 0, perPage: 2, hasMore: true });
    expect(textsOf((await page(1)).messages)).toStrictEqual(['Message 3', 'Message 4']);
    expect(await page(2)).toMatchObject({ hasMore: false, messages: [{}] });
    expect((await page(3)).messages).toStrictEqual([]);
    await expect(page(-1)).rejects.toThrow();
  });

  it('has the newest first if asked for, and the last ones of a long thread', async () => {
    const { storage, thread } = await filled();
    const newest = {
      threadId: thread.id,
      perPage: 2,
      orderBy: { field: 'createdAt', direction: 'DESC' },
    } as const;
    const counted = await storage.listMessages(newest);
    expect(counted).toMatchObject({ total: 5, hasMore: true });
    const uncounted = await storage.listMessages({ ...newest, includeTotal: false });
    for (const { messages } of [counted, uncounted])
      expect(textsOf(messages)).toStrictEqual(['Message 5', 'Message 4']);
    expect(uncounted.hasMore).toBe(true);
    const all = await storage.listMessages({ ...newest, includeTotal: false, perPage: 5 });
    expect(all).toMatchObject({ hasMore: false });
    expect(all.messages).toHaveLength(5);
  });

  it('has the newest of one resource, also behind many of another', async () => {
    const { storage, thread } = await filled();
    const others = Array.from({ length: 9 }, (_, place) =>
      aMessage(thread.id, 'Other', { resourceId: 'other', createdAt: at(20 + place) }),
    );
    await storage.saveMessages({ messages: others });
    const { messages } = await storage.listMessages({
      threadId: thread.id,
      resourceId: thread.resourceId,
      perPage: 2,
      orderBy: { field: 'createdAt', direction: 'DESC' },
      includeTotal: false,
    });
    expect(textsOf(messages)).toStrictEqual(['Message 5', 'Message 4']);
  });

  it('is filtered by resource, by date and by metadata', async () => {
    const { storage, thread } = await filled();
    const threadId = thread.id;
    const tagged = aMessage(threadId, 'Tagged', { createdAt: at(8), resourceId: 'other' });
    tagged.content.metadata = { tag: 'x' };
    await storage.saveMessages({ messages: [tagged] });
    const list = async (args: Omit<Parameters<typeof storage.listMessages>[0], 'threadId'>) =>
      textsOf((await storage.listMessages({ threadId, ...args })).messages);
    expect(await list({ resourceId: 'other' })).toStrictEqual(['Tagged']);
    expect(await list({ filter: { metadata: { tag: 'x' } } })).toStrictEqual(['Tagged']);
    const dateRange = { start: at(2), end: at(4) };
    expect(await list({ filter: { dateRange } })).toHaveLength(3);
    const exclusive = { ...dateRange, startExclusive: true, endExclusive: true };
    expect(await list({ filter: { dateRange: exclusive } })).toStrictEqual(['Message 3']);
  });

  it('includes messages that are asked for, with those around them, once each', async () => {
    const { storage, thread, messages, elsewhere } = await filled();
    const list = async (include: { id: string; [context: string]: unknown }[], perPage = 0) =>
      textsOf((await storage.listMessages({ threadId: thread.id, include, perPage })).messages);
    const third = messages[2]!.id;
    expect(await list([{ id: third, withPreviousMessages: 1, withNextMessages: 1 }])).toStrictEqual(
      ['Message 2', 'Message 3', 'Message 4'],
    );
    const overlapping = [{ id: third, withPreviousMessages: 1 }, { id: messages[1]!.id }];
    expect(await list(overlapping)).toStrictEqual(['Message 2', 'Message 3']);
    expect(await list([{ id: elsewhere.id, threadId: elsewhere.threadId }])).toStrictEqual([
      'Elsewhere',
    ]);
    expect(await list([{ id: 'none' }], 40)).toHaveLength(5);
    expect(await list([{ id: elsewhere.id }], 40)).toHaveLength(6);
  });

  it('includes nothing of another resource, if a resource is asked for', async () => {
    const { storage, thread, other, messages } = await filled();
    const include = [{ id: messages[1]!.id, withPreviousMessages: 1, withNextMessages: 1 }];
    const list = async (args: { threadId: string; resourceId?: string; perPage?: number }) =>
      textsOf((await storage.listMessages({ ...args, include })).messages);
    const foreign = { threadId: other.id, resourceId: other.resourceId };
    expect(await list(foreign)).toStrictEqual(['Elsewhere']);
    expect(await list({ ...foreign, perPage: 0 })).toStrictEqual([]);
    expect(await list({ threadId: other.id })).toStrictEqual([
      'Message 1',
      'Message 2',
      'Message 3',
      'Elsewhere',
    ]);
    const own = { threadId: 'another of the resource', resourceId: thread.resourceId };
    expect(await list(own)).toStrictEqual(['Message 1', 'Message 2', 'Message 3']);
  });

  it('is of several threads, or of a whole resource', async () => {
    const { storage, thread, other } = await filled();
    const both = await storage.listMessages({ threadId: [thread.id, other.id] });
    expect(both).toMatchObject({ total: 6 });
    const another = aThread({ resourceId: thread.resourceId });
    const message = aMessage(another.id, 'Second thread', {
      resourceId: thread.resourceId,
      createdAt: at(7),
    });
    await storage.saveMessages({ messages: [message] });
    const { resourceId } = thread;
    const list = await storage.listMessagesByResourceId({ resourceId });
    expect(list).toMatchObject({ total: 6 });
    expect(textsOf(list.messages)).toContain('Second thread');
  });

  it('is empty for a thread without messages, and needs a thread', async () => {
    const storage = newStorage();
    expect(await storage.listMessages({ threadId: 'none' })).toMatchObject({ total: 0 });
    for (const threadId of ['', '  ', []])
      await expect(storage.listMessages({ threadId })).rejects.toThrow('threadId');
  });

  it('by ids has those that exist, from every thread', async () => {
    const { storage, messages, elsewhere } = await filled();
    const messageIds = [elsewhere.id, 'none', messages[0]!.id];
    const list = await storage.listMessagesById({ messageIds });
    expect(idsOf(list.messages).toSorted()).toStrictEqual(
      [elsewhere.id, messages[0]!.id].toSorted(),
    );
    expect(await storage.listMessagesById({ messageIds: [] })).toMatchObject({ messages: [] });
  });
});

/** A part of a content, which the type of an update does not allow although the storage takes it. */
const partly = (content: Partial<MastraDBMessage['content']>) =>
  content as MastraDBMessage['content'];

describe('An update of messages', () => {
  it('changes the given fields, and merges content and metadata', async () => {
    const { storage, thread, messages } = await filled();
    const [first, second] = messages as [MastraDBMessage, MastraDBMessage];
    await storage.updateMessages({ messages: [{ id: first.id, role: 'assistant' }] });
    await storage.updateMessages({
      messages: [
        { id: first.id, content: partly({ metadata: { a: 1 } }) },
        { id: second.id, content: partly({ content: 'New text' }) },
      ],
    });
    const updated = await storage.updateMessages({
      messages: [{ id: first.id, content: partly({ metadata: { b: 2 } }) }],
    });
    expect(updated).toMatchObject([
      { role: 'assistant', content: { content: 'Message 1', metadata: { a: 1, b: 2 } } },
    ]);
    const list = await storage.listMessages({ threadId: thread.id });
    expect(textsOf(list.messages).slice(0, 2)).toStrictEqual(['Message 1', 'New text']);
    expect(list.messages[0]!.content.parts).toStrictEqual(first.content.parts);
    expect(list.messages[0]!.createdAt).toStrictEqual(first.createdAt);
  });

  it('moves a message to another thread, and the updatedAt of both', async () => {
    const { storage, thread, other, messages } = await filled();
    const before = await Promise.all(
      [thread.id, other.id].map((threadId) => storage.getThreadById({ threadId })),
    );
    await storage.updateMessages({ messages: [{ id: messages[0]!.id, threadId: other.id }] });
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 4 });
    expect(await storage.listMessages({ threadId: other.id })).toMatchObject({ total: 2 });
    for (const one of before) {
      const after = await storage.getThreadById({ threadId: one!.id });
      expect(after!.updatedAt.getTime()).toBeGreaterThan(one!.updatedAt.getTime());
    }
  });

  it('ignores messages that do not exist', async () => {
    const { storage, thread } = await filled();
    expect(
      await storage.updateMessages({ messages: [{ id: 'none', role: 'user' }] }),
    ).toStrictEqual([]);
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 5 });
  });
});

describe('A deletion of messages', () => {
  it('removes them from all their threads, and moves the updatedAt', async () => {
    const { storage, thread, other, messages, elsewhere } = await filled();
    const before = await storage.getThreadById({ threadId: thread.id });
    await storage.deleteMessages([messages[0]!.id, messages[2]!.id, elsewhere.id, 'none']);
    const list = await storage.listMessages({ threadId: thread.id });
    expect(textsOf(list.messages)).toStrictEqual(['Message 2', 'Message 4', 'Message 5']);
    expect(await storage.listMessages({ threadId: other.id })).toMatchObject({ total: 0 });
    const after = await storage.getThreadById({ threadId: thread.id });
    expect(after!.updatedAt.getTime()).toBeGreaterThan(before!.updatedAt.getTime());
    await storage.deleteMessages([]);
  });

  it('hides them; earlier versions of the conversation still have them', async () => {
    const { storage, thread, messages } = await filled();
    const { version } = await storage.conversation(thread.id).items();
    await storage.deleteMessages(idsOf(messages));
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 0 });
    expect(await storage.conversation(thread.id).items({ version })).toMatchObject({ count: 5 });
    expect(await storage.conversation(thread.id).replay('strict')).toMatchObject({
      identical: true,
    });
  });
});
