import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { badCalls } from '../../testing/arguments.mjs';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryStorage, type MaceMemoryStorageOptions } from '../src/index.js';
import { aMessage, aThread } from './support.js';

const token = mintToken({ sub: `agent-${randomUUID()}` });
const client = new MaceClient({ baseUrl: serviceUrl(), token });
const storage = new MaceMemoryStorage(client);
const position = () => client.position;

const thread = aThread({ id: 't', resourceId: 'r' });
const message = aMessage('t', 'Hello', { id: 'm' });
const named = { threadId: 't', resourceId: 'r' };
const CALLS = {
  conversation: ['t'],
  getThreadById: [named],
  saveThread: [{ thread }],
  updateThread: [{ id: 't', title: 'A trip', metadata: {} }],
  updateThreadMetadata: [{ id: 't', resourceId: 'r', update: () => undefined }],
  deleteThread: [{ threadId: 'none' }],
  listThreads: [
    {
      perPage: 10,
      page: 0,
      filter: { resourceId: 'r' },
      orderBy: { field: 'createdAt', direction: 'ASC' },
    },
  ],
  copyThread: [{ sourceThreadId: 't', resourceId: 'r', title: 'A copy' }],
  listMessages: [{ ...named, perPage: 10, page: 0, include: [{ id: 'm' }] }],
  listMessagesByResourceId: [{ resourceId: 'r', perPage: 10, page: 0 }],
  listMessagesById: [{ messageIds: ['m'] }],
  saveMessages: [{ messages: [message] }],
  updateMessages: [{ messages: [{ id: 'm', content: { metadata: {} } }] }],
  deleteMessages: [['none']],
  getResourceById: [{ resourceId: 'r' }],
  saveResource: [
    { resource: { id: 'r', workingMemory: 'tea', createdAt: new Date(0), updatedAt: new Date(0) } },
  ],
  updateResource: [{ resourceId: 'r', workingMemory: 'tea', metadata: {} }],
} satisfies Partial<Record<keyof MaceMemoryStorage, unknown[]>>;

it.each(Object.entries(CALLS))(
  '%s names an argument that it cannot use, and writes nothing',
  async (method, whole) => {
    await storage.saveThread({ thread });
    await storage.saveMessages({ messages: [message] });
    const call = (...given: unknown[]): unknown =>
      (storage as unknown as Record<string, (...all: unknown[]) => unknown>)[method]!(...given);
    expect(await badCalls({ whole, call, position })).toStrictEqual([]);
  },
  120_000,
);

it('new MaceMemoryStorage names an argument that it cannot use', async () => {
  const call = (options: MaceMemoryStorageOptions) =>
    new MaceMemoryStorage(client, options).getThreadById({ threadId: 't' });
  expect(await badCalls({ whole: [{ namespace: ['mastra'] }], call, position })).toStrictEqual([]);
});

it('a new thread is refused if its id is not in Unicode NFC, and can be read', async () => {
  const id = 'cafe\u0301';
  const before = position();
  for (const refused of [
    storage.saveThread({ thread: aThread({ id }) }),
    storage.saveMessages({ messages: [aMessage('t', 'Hello'), aMessage(id, 'Hello')] }),
    storage.copyThread({ sourceThreadId: 't', newThreadId: id }),
  ])
    await expect(refused).rejects.toThrow(/must be a text in Unicode NFC/);
  expect(position()).toBe(before);
  expect(await storage.getThreadById({ threadId: id })).toBeNull();
  expect((await storage.listMessages({ threadId: id })).messages).toStrictEqual([]);
});
