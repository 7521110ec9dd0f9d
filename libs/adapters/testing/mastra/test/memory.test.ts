import { InMemoryStore, MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, it } from 'vitest';
import { aMessage, at, newStorage, textsOf } from './support.js';

/** Mastra's own memory on a new storage. */
function newMemory() {
  const domain = newStorage();
  const storage = new MastraCompositeStore({
    id: 'mace',
    domains: { memory: domain },
    default: new InMemoryStore(),
  });
  const workingMemory = { enabled: true, scope: 'resource' } as const;
  return { domain, memory: new Memory({ storage, options: { lastMessages: 3, workingMemory } }) };
}

describe('Mastra’s memory', () => {
  it('recalls the last messages of a thread, oldest first', async () => {
    const { memory } = newMemory();
    const { id: threadId } = await memory.createThread({ resourceId: 'ada', title: 'A trip' });
    const messages = [1, 2, 3, 4, 5].map((place) =>
      aMessage(threadId, `Message ${place}`, { resourceId: 'ada', createdAt: at(place) }),
    );
    await memory.saveMessages({ messages });
    const recalled = await memory.recall({ threadId, resourceId: 'ada' });
    expect(textsOf(recalled.messages)).toStrictEqual(['Message 3', 'Message 4', 'Message 5']);
    const all = await memory.recall({ threadId, resourceId: 'ada', perPage: false });
    expect(all.messages).toHaveLength(5);
  });

  it('keeps working memory with the resource, for all its threads', async () => {
    const { memory, domain } = newMemory();
    const [first, second] = [
      await memory.createThread({ resourceId: 'ada' }),
      await memory.createThread({ resourceId: 'ada' }),
    ];
    const workingMemory = '# Ada\n- flies to Rome';
    await memory.updateWorkingMemory({ threadId: first.id, resourceId: 'ada', workingMemory });
    const read = { threadId: second.id, resourceId: 'ada' };
    expect(await memory.getWorkingMemory(read)).toBe(workingMemory);
    expect(await domain.getResourceById({ resourceId: 'ada' })).toMatchObject({ workingMemory });
  });

  it('lists, updates, clones and deletes threads', async () => {
    const { memory } = newMemory();
    const { id } = await memory.createThread({ resourceId: 'ada', title: 'A trip' });
    await memory.saveMessages({ messages: [aMessage(id, 'Hello', { resourceId: 'ada' })] });
    await memory.updateThread({ id, title: 'To Rome', metadata: { seats: 2 } });
    expect(await memory.getThreadById({ threadId: id })).toMatchObject({ title: 'To Rome' });
    const { thread } = await memory.cloneThread({ sourceThreadId: id });
    const { threads } = await memory.listThreads({ filter: { resourceId: 'ada' } });
    expect(threads.map((one) => one.id).toSorted()).toStrictEqual([id, thread.id].toSorted());
    await memory.deleteThread(id);
    expect(await memory.getThreadById({ threadId: id })).toBeNull();
    const { messages } = await memory.recall({ threadId: thread.id, resourceId: 'ada' });
    expect(textsOf(messages)).toStrictEqual(['Hello']);
  });
});
