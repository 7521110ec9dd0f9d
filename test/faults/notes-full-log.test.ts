import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { type Note, notePath } from '#test/support/notes.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { until } from './support/until.js';

describe('A note that a full log refuses (SPEC F2)', () => {
  const folder = temporaryFolder('notes-full-log');
  let service: ServiceProcess;
  let agent: Caller;

  async function started(environment: Record<string, string>): Promise<void> {
    await service?.stop();
    service = ServiceProcess.spawn(folder.path, environment);
    agent = await Caller.of(await service.ready(), 'agent', { sub: 'keeper' });
  }
  const note = (key: string, value: unknown) => ({
    body: { namespace: ['full'], key, value, ttl_seconds: 3_600 },
  });

  beforeAll(async () => {
    await started({});
    await started({ MACE_EVENTSTORE_QUOTA_BYTES: '0' });
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  it('is kept, also the first one, for which the log has no naming key yet; reads find nothing', async () => {
    await agent.refused('NOT_FOUND', 'GET', notePath(['full'], 'first'));
    await agent.refused('NOT_FOUND', 'DELETE', notePath(['full'], 'first'));
    await agent.refused('STORAGE_FULL', 'PUT', 'notes', { ...note('first', 1), key: 'put-1' });
    await agent.refused('STORAGE_FULL', 'PUT', 'notes', { ...note('first', 1), key: 'put-1' });
    await agent.refused('NOT_FOUND', 'GET', notePath(['full'], 'first'));
  });

  it('is written once when there is room, with the time at which it was received', async () => {
    const before = new Date().toISOString();
    await started({});
    await until('the note is written', async () => {
      const { status } = await agent.ask('GET', notePath(['full'], 'first'));
      return status === 200;
    });
    const { version, updated_at, expires_at } = await agent.get<Note>(notePath(['full'], 'first'));
    expect(version).toBe(1);
    expect(updated_at < before).toBe(true);
    expect(Date.parse(expires_at ?? '') - Date.parse(updated_at)).toBe(3_600_000);
    const again = await agent.did<Note>('PUT', 'notes', { ...note('first', 1), key: 'put-1' });
    expect(again.body.version).toBe(1);
  });
});
