import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { AppendGate } from './support/append-gate.js';

interface Read {
  readonly checkpoint_id: string;
  readonly channel_values: Readonly<Record<string, unknown>>;
  readonly pending_writes: readonly unknown[];
}

describe('A deletion of a thread whose process died, and its retry (SPEC I7)', () => {
  const gate = new AppendGate();
  let service: TestService;
  let agent: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true, more: [gate.module] });
    agent = await Caller.of(service, 'agent', { sub: 'dying' });
  });
  afterAll(() => service?.stop());

  const put = (thread_id: string, checkpoint_id: string, more: object = {}) =>
    agent.did('PUT', 'threads/checkpoints', {
      body: {
        ...{ thread_id, checkpoint_id, checkpoint: {}, metadata: {} },
        ...{ channel_versions: {}, channel_values: {}, ...more },
      },
    });
  const remove = (thread_id: string) =>
    agent.ask<unknown>('DELETE', `threads?thread_id=${thread_id}`, { key: thread_id });
  const read = (fields: Readonly<Record<string, string>>) =>
    `threads/checkpoints?${new URLSearchParams(fields).toString()}`;
  const listed = async (thread_id: string) => {
    const { checkpoints } = await agent.post<{ checkpoints: (Read & { namespace: string })[] }>(
      'threads/list',
      { thread_id },
    );
    return checkpoints.map(({ namespace, checkpoint_id }) => `${namespace}/${checkpoint_id}`);
  };

  /** Sends a deletion whose process dies once its next append to a stream of this category is in the log. */
  async function dyingAfter(category: string, thread_id: string): Promise<void> {
    const held = gate.next(category, { dies: true });
    const dying = remove(thread_id);
    await held.arrived;
    held.release();
    expect((await dying).status).toBe(500);
  }

  it('hides the rest of what there was, and keeps what was written since, with the values that it continues', async () => {
    const [thread_id, child] = ['between', { namespace: 'child' }];
    const values = { channel_versions: { a: 1 }, channel_values: { a: 'kept' } };
    await put(thread_id, 'c1');
    await put(thread_id, 'c1', { ...child, ...values });
    const writes = [{ index: 0, channel: 'a', value: 'hidden' }];
    const early = { ...child, thread_id, checkpoint_id: 'c2', task_id: 't', writes };
    await agent.did('PUT', 'threads/writes', { body: early });
    await dyingAfter('thread', thread_id);
    const onward = { ...child, channel_versions: { a: 1 } };
    await put(thread_id, 'c2', { ...onward, parent_checkpoint_id: 'c1' });
    await put(thread_id, 'c0', { namespace: 'later' });
    const first = await remove(thread_id);
    expect([first.status, first.body]).toStrictEqual([200, { namespaces: 2 }]);
    expect(await listed(thread_id)).toStrictEqual(['later/c0', 'child/c2']);
    const kept = { channel_values: { a: 'kept' }, pending_writes: [] };
    expect(await agent.get<Read>(read({ thread_id, ...child }))).toMatchObject(kept);
    await agent.refused('NOT_FOUND', 'GET', read({ thread_id, ...child, checkpoint_id: 'c1' }));
    await put(thread_id, 'c3', { ...onward, parent_checkpoint_id: 'c2' });
    expect(await agent.get<Read>(read({ thread_id, ...child }))).toMatchObject(kept);
    expect((await remove(thread_id)).body).toStrictEqual(first.body);
    expect(await listed(thread_id)).toStrictEqual(['child/c3', 'later/c0', 'child/c2']);
    const replay = await agent.post('threads/replays', { thread_id, ...child, mode: 'strict' });
    expect(replay).toMatchObject({ identical: true });
  });

  it('after the claim alone hides what there was at the claim, whatever the checkpoints are called', async () => {
    const thread_id = 'claimed';
    await put(thread_id, 'c9');
    await dyingAfter('command', thread_id);
    await put(thread_id, 'c1');
    await put(thread_id, 'c2');
    expect((await remove(thread_id)).body).toStrictEqual({ namespaces: 1 });
    expect(await listed(thread_id)).toStrictEqual(['/c2', '/c1']);
    expect(await agent.get<Read>(read({ thread_id }))).toMatchObject({ checkpoint_id: 'c2' });
    expect((await remove(thread_id)).body).toStrictEqual({ namespaces: 1 });
    expect(await listed(thread_id)).toStrictEqual(['/c2', '/c1']);
  });

  it('leaves what another deletion has hidden and what came after it', async () => {
    const thread_id = 'other';
    await put(thread_id, 'c1');
    await dyingAfter('command', thread_id);
    await agent.did('DELETE', `threads?thread_id=${thread_id}`);
    await put(thread_id, 'c2');
    expect((await remove(thread_id)).body).toStrictEqual({ namespaces: 0 });
    expect(await listed(thread_id)).toStrictEqual(['/c2']);
  });
});
