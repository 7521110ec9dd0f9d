import { describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { aMessage, at, aThread, idsOf, newStorage } from './support.js';

describe('A thread', () => {
  it('is read back as it was saved', async () => {
    const storage = newStorage();
    const thread = aThread({ title: 'Quotes " and \' and 🎉', metadata: { deep: [{ a: null }] } });
    expect(await storage.saveThread({ thread })).toStrictEqual(thread);
    expect(await storage.getThreadById({ threadId: thread.id })).toStrictEqual(thread);
  });

  it('that does not exist is null', async () => {
    expect(await newStorage().getThreadById({ threadId: 'none' })).toBeNull();
  });

  it('is found only under its resource, if one is asked for', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const of = (resourceId: string) => storage.getThreadById({ threadId: thread.id, resourceId });
    expect(await of(thread.resourceId)).toStrictEqual(thread);
    expect(await of('another')).toBeNull();
  });

  it('belongs to its owner alone', async () => {
    const thread = aThread();
    await newStorage().saveThread({ thread });
    expect(await newStorage().getThreadById({ threadId: thread.id })).toBeNull();
  });

  it('is replaced by a second save', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const { metadata: _, ...other } = { ...thread, title: 'Another trip' };
    await storage.saveThread({ thread: other });
    expect(await storage.getThreadById({ threadId: thread.id })).toStrictEqual(other);
  });

  it('is updated in part: what is left out stays, and metadata is merged', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const { id } = thread;
    const titled = await storage.updateThread({ id, title: 'Later' });
    expect(titled).toMatchObject({ title: 'Later', metadata: { city: 'Rome' } });
    const noted = await storage.updateThread({ id, metadata: { seats: 2 } });
    expect(noted).toMatchObject({ title: 'Later', metadata: { city: 'Rome', seats: 2 } });
    expect(noted.createdAt).toStrictEqual(thread.createdAt);
    expect(noted.updatedAt.getTime()).toBeGreaterThan(titled.updatedAt.getTime());
    expect(await storage.getThreadById({ threadId: id })).toStrictEqual(noted);
  });

  it('cannot be updated if it does not exist', async () => {
    await expect(newStorage().updateThread({ id: 'none', title: 'x' })).rejects.toThrow('none');
  });

  it('keeps every one of concurrent metadata updates, also of other processes', async () => {
    const sub = `agent-${randomUUID()}`;
    const [first, second] = [newStorage(sub), newStorage(sub)];
    const thread = aThread({ metadata: {} });
    await first.saveThread({ thread });
    const { id } = thread;
    await Promise.all(
      Array.from({ length: 6 }, (_, place) =>
        (place % 2 === 0 ? first : second).updateThreadMetadata({
          id,
          update: () => ({ [`key_${place}`]: place }),
        }),
      ),
    );
    const { metadata } = (await first.getThreadById({ threadId: id }))!;
    expect(Object.keys(metadata!)).toHaveLength(6);
  });

  it('keeps its metadata if the update returns nothing, or names another resource', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const { id } = thread;
    expect(await storage.updateThreadMetadata({ id, update: () => undefined })).toStrictEqual(
      thread,
    );
    const other = { id, resourceId: 'another', update: () => ({ city: 'Paris' }) };
    expect(await storage.updateThreadMetadata(other)).toBeNull();
    expect(await storage.getThreadById({ threadId: id })).toStrictEqual(thread);
  });

  it('is deleted with its messages, and may begin anew', async () => {
    const storage = newStorage();
    const thread = aThread();
    const message = aMessage(thread.id, 'Hello');
    await storage.saveThread({ thread });
    await storage.saveMessages({ messages: [message] });
    await storage.deleteThread({ threadId: thread.id });
    expect(await storage.getThreadById({ threadId: thread.id })).toBeNull();
    expect((await storage.listMessages({ threadId: thread.id })).messages).toStrictEqual([]);
    expect((await storage.listMessagesById({ messageIds: [message.id] })).messages).toHaveLength(0);
    await storage.saveThread({ thread });
    await storage.saveMessages({ messages: [message] });
    expect((await storage.listMessages({ threadId: thread.id })).total).toBe(1);
    await storage.deleteThread({ threadId: 'none' });
  });

  it('with personal data is stored sealed, and found by its owner', async () => {
    const storage = newStorage();
    const email = 'ines.varga@fastmail.test';
    const thread = aThread({ resourceId: email, title: `Letters to ${email}` });
    await storage.saveThread({ thread });
    const { threads } = await storage.listThreads({ filter: { resourceId: email } });
    expect(threads).toStrictEqual([thread]);
  });

  it('moves to another resource with its messages', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const { id, resourceId } = thread;
    await storage.saveMessages({ messages: [aMessage(id, 'Hello', { resourceId })] });
    await storage.updateThreadResourceId({ threadId: id, resourceId: 'new-owner' });
    const { messages } = await storage.listMessages({ threadId: id, resourceId: 'new-owner' });
    expect(messages).toHaveLength(1);
    expect(await storage.getThreadById({ threadId: id })).toMatchObject({
      resourceId: 'new-owner',
      createdAt: thread.createdAt,
    });
  });
});

describe('A list of threads', () => {
  it('has those of a resource, page by page', async () => {
    const storage = newStorage();
    const resourceId = 'ada';
    const threads = Array.from({ length: 7 }, (_, place) =>
      aThread({ resourceId, createdAt: at(place) }),
    );
    await Promise.all([...threads, aThread()].map((thread) => storage.saveThread({ thread })));
    const filter = { resourceId };
    const orderBy = { field: 'createdAt', direction: 'ASC' } as const;
    const first = await storage.listThreads({ filter, orderBy, page: 0, perPage: 3 });
    expect(first).toMatchObject({ total: 7, page: 0, perPage: 3, hasMore: true });
    expect(idsOf(first.threads)).toStrictEqual(idsOf(threads.slice(0, 3)));
    const last = await storage.listThreads({ filter, orderBy, page: 2, perPage: 3 });
    expect(last).toMatchObject({ hasMore: false, threads: [{ id: threads[6]!.id }] });
    expect(await storage.listThreads({ filter, perPage: false })).toMatchObject({ total: 7 });
    expect(await storage.listThreads({})).toMatchObject({ total: 8 });
  });

  it('is ordered by creation or update, the newest first by default', async () => {
    const storage = newStorage();
    const [old, young] = [aThread({ createdAt: at(1) }), aThread({ createdAt: at(2) })];
    for (const thread of [young, old]) await storage.saveThread({ thread });
    expect(idsOf((await storage.listThreads({})).threads)).toStrictEqual([young.id, old.id]);
    await storage.saveMessages({ messages: [aMessage(old.id, 'Hello')] });
    const orderBy = { field: 'updatedAt', direction: 'DESC' } as const;
    const { threads } = await storage.listThreads({ orderBy });
    expect(idsOf(threads)).toStrictEqual([old.id, young.id]);
  });

  it('is filtered by metadata, whose keys are checked', async () => {
    const storage = newStorage();
    const [rome, paris] = [aThread(), aThread({ metadata: { city: 'Paris', seats: 2 } })];
    for (const thread of [rome, paris]) await storage.saveThread({ thread });
    const of = async (metadata: Record<string, unknown>) =>
      idsOf((await storage.listThreads({ filter: { metadata } })).threads);
    expect(await of({ city: 'Rome' })).toStrictEqual([rome.id]);
    expect(await of({ city: 'Paris', seats: 2 })).toStrictEqual([paris.id]);
    expect(await of({ city: 'Paris', seats: '2' })).toStrictEqual([]);
    await expect(of({ 'a.b': 1 })).rejects.toThrow();
  });

  it('refuses a page that cannot be', async () => {
    const storage = newStorage();
    await expect(storage.listThreads({ page: -1 })).rejects.toThrow();
    await expect(storage.listThreads({ page: 1, perPage: false })).rejects.toThrow();
    expect(await storage.listThreads({ perPage: 0 })).toMatchObject({ threads: [] });
  });
});

describe('A copy of a thread', () => {
  const filled = async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    const messages = [0, 1, 2].map((place) =>
      aMessage(thread.id, `Message ${place}`, {
        createdAt: at(place),
        resourceId: thread.resourceId,
      }),
    );
    await storage.saveMessages({ messages });
    return { storage, thread, messages };
  };

  it('has new ids and the same messages, and names where it comes from', async () => {
    const { storage, thread, messages } = await filled();
    const copy = await storage.cloneThread({ sourceThreadId: thread.id });
    expect(copy.thread).toMatchObject({
      title: 'Clone of A trip',
      resourceId: thread.resourceId,
      metadata: { clone: { sourceThreadId: thread.id, lastMessageId: messages[2]!.id } },
    });
    expect(copy.clonedMessages.map(({ content }) => content)).toStrictEqual(
      messages.map(({ content }) => content),
    );
    expect(idsOf(copy.clonedMessages)).toStrictEqual(
      messages.map(({ id }) => copy.messageIdMap?.[id]),
    );
    await storage.deleteThread({ threadId: copy.thread.id });
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 3 });
  });

  it('takes the messages that are asked for', async () => {
    const { storage, thread } = await filled();
    const options = { messageLimit: 2, messageFilter: { startDate: at(1) } };
    const copy = await storage.cloneThread({ sourceThreadId: thread.id, options, title: 'Mine' });
    expect(copy).toMatchObject({ thread: { title: 'Mine' } });
    expect(copy.clonedMessages).toHaveLength(2);
  });

  it('is refused without a source, or under an id that is taken', async () => {
    const { storage, thread } = await filled();
    await expect(storage.copyThread({ sourceThreadId: 'none' })).rejects.toThrow('none');
    const taken = { sourceThreadId: thread.id, newThreadId: thread.id };
    await expect(storage.copyThread(taken)).rejects.toThrow('already exists');
  });
});
