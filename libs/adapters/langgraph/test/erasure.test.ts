import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { EMAIL, erase } from '../../testing/erase.mjs';
import { MaceSaver, MaceStore } from '../src/index.js';
import { newClient } from './support.js';

const config = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };

it('After an erasure, a read of one thing fails with MaceErased, and a list has [ERASED] in its place', async () => {
  const userId = `user-${randomUUID()}`;
  const client = newClient({ userId });
  const [saver, store] = [new MaceSaver(client), new MaceStore(client)];
  await saver.put(
    config,
    {
      ...emptyCheckpoint(),
      id: 'c1',
      channel_values: { plan: 'ship', email: EMAIL },
      channel_versions: { plan: 1, email: 1 },
    },
    { source: 'loop', step: 1, parents: {} },
    { plan: 1, email: 1 },
  );
  await store.put(['a'], 'secret', { email: EMAIL });
  await store.put(['a'], 'plain', { erased: true });
  await erase(userId);

  await expect(saver.getTuple(config)).rejects.toMatchObject({ name: 'MaceErased' });
  for await (const { checkpoint } of saver.list(config))
    expect(checkpoint.channel_values).toStrictEqual({ plan: 'ship', email: '[ERASED]' });
  await expect(store.get(['a'], 'secret')).rejects.toMatchObject({ name: 'MaceErased' });
  expect((await store.get(['a'], 'plain'))!.value).toStrictEqual({ erased: true });
  const items = await store.search(['a']);
  expect(items.map(({ key, value }) => [key, value])).toStrictEqual([
    ['plain', { erased: true }],
    ['secret', { erased: '[ERASED]' }],
  ]);
}, 60_000);
