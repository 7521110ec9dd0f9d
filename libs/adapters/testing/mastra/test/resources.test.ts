import { describe, expect, it } from 'vitest';
import { at, aMessage, aThread, newStorage } from './support.js';

describe('A resource', () => {
  const resource = {
    id: 'ada',
    workingMemory: '# Ada\n- flies to Rome',
    metadata: { language: 'en' },
    createdAt: at(0),
    updatedAt: at(0),
  };

  it('is read back as it was saved', async () => {
    const storage = newStorage();
    expect(await storage.getResourceById({ resourceId: 'ada' })).toBeNull();
    expect(await storage.saveResource({ resource })).toStrictEqual(resource);
    expect(await storage.getResourceById({ resourceId: 'ada' })).toStrictEqual(resource);
  });

  it('is updated in part, and its metadata is merged', async () => {
    const storage = newStorage();
    await storage.saveResource({ resource });
    const updated = await storage.updateResource({ resourceId: 'ada', metadata: { seats: 2 } });
    expect(updated).toMatchObject({
      workingMemory: resource.workingMemory,
      metadata: { language: 'en', seats: 2 },
      createdAt: resource.createdAt,
    });
    expect(updated.updatedAt.getTime()).toBeGreaterThan(resource.updatedAt.getTime());
    const emptied = await storage.updateResource({ resourceId: 'ada', workingMemory: '' });
    expect(emptied).toMatchObject({ workingMemory: '', metadata: { seats: 2 } });
    expect(await storage.getResourceById({ resourceId: 'ada' })).toStrictEqual(emptied);
  });

  it('is made by an update if it does not exist', async () => {
    const storage = newStorage();
    const made = await storage.updateResource({ resourceId: 'new', workingMemory: 'First' });
    expect(await storage.getResourceById({ resourceId: 'new' })).toStrictEqual(made);
  });

  it('keeps every one of concurrent updates', async () => {
    const storage = newStorage();
    await Promise.all(
      Array.from({ length: 5 }, (_, place) =>
        storage.updateResource({ resourceId: 'ada', metadata: { [`key_${place}`]: place } }),
      ),
    );
    const { metadata } = (await storage.getResourceById({ resourceId: 'ada' }))!;
    expect(Object.keys(metadata!)).toHaveLength(5);
  });

  it('may have personal data as its id and in its working memory, which is stored sealed', async () => {
    const storage = newStorage();
    const personal = {
      ...resource,
      id: 'ines.varga@fastmail.test',
      workingMemory: '+1 415 555 0134',
    };
    await storage.saveResource({ resource: personal });
    expect(await storage.getResourceById({ resourceId: personal.id })).toStrictEqual(personal);
  });
});

describe('Clearing everything', () => {
  it('removes the threads, messages and resources of the namespace', async () => {
    const storage = newStorage();
    const thread = aThread();
    await storage.saveThread({ thread });
    await storage.saveMessages({ messages: [aMessage(thread.id, 'Hello')] });
    await storage.updateResource({ resourceId: 'ada', workingMemory: 'x' });
    await storage.dangerouslyClearAll();
    expect(await storage.listThreads({})).toMatchObject({ total: 0 });
    expect(await storage.listMessages({ threadId: thread.id })).toMatchObject({ total: 0 });
    expect(await storage.getResourceById({ resourceId: 'ada' })).toBeNull();
  });
});
