import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { EMAIL, erase } from '../../testing/erase.mjs';
import { MaceMemoryStorage } from '../src/index.js';
import { aMessage, at, aThread, textsOf } from './support.js';

it('After an erasure, placeholders stand in lists, and a read of one thing fails with MaceErased', async () => {
  const userId = `user-${randomUUID()}`;
  const token = mintToken({ sub: 'agent', userId });
  const storage = new MaceMemoryStorage(new MaceClient({ baseUrl: serviceUrl(), token }));
  const thread = aThread({ title: `The trip of ${EMAIL}` });
  await storage.saveThread({ thread });
  const resource = { id: 'ada', workingMemory: EMAIL, createdAt: at(0), updatedAt: at(0) };
  await storage.saveResource({ resource });
  const { id: threadId, resourceId } = thread;
  const messages = [`I am ${EMAIL}`, 'Hello', EMAIL].map((text, place) =>
    aMessage(threadId, text, { resourceId, createdAt: at(place) }),
  );
  await storage.saveMessages({ messages });
  await erase(userId);

  await expect(storage.getThreadById({ threadId })).rejects.toMatchObject({ name: 'MaceErased' });
  await expect(storage.updateThread({ id: threadId, title: 'New' })).rejects.toMatchObject({
    name: 'MaceErased',
  });
  await expect(storage.getResourceById({ resourceId: 'ada' })).rejects.toMatchObject({
    name: 'MaceErased',
  });
  const { threads } = await storage.listThreads({});
  expect(threads).toMatchObject([{ id: threadId, title: '[ERASED]' }]);
  const kept = ['[ERASED]', 'Hello', '[ERASED]'];
  for (const asked of [{ threadId }, { threadId, resourceId }])
    expect(textsOf((await storage.listMessages(asked)).messages)).toStrictEqual(kept);
  await storage.deleteMessages([messages[1]!.id]);
  await storage.saveMessages({ messages: [aMessage(threadId, 'First', { createdAt: at(-1) })] });
  const { messages: after } = await storage.listMessages({ threadId });
  expect(textsOf(after).filter((text) => text === '[ERASED]')).toHaveLength(2);
  await storage.updateResource({ resourceId: 'ada', workingMemory: 'Anew' });
  expect(await storage.getResourceById({ resourceId: 'ada' })).toMatchObject({
    workingMemory: 'Anew',
  });
}, 60_000);
