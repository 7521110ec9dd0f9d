import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { badCalls } from '../../testing/arguments.mjs';
import { MaceSaver, MaceStore } from '../src/index.js';
import { newClient } from './support.js';

const client = newClient();
const position = () => client.position;
const saver = new MaceSaver(client);
const store = new MaceStore(client);

const checkpoint = {
  ...emptyCheckpoint(),
  id: '1',
  channel_values: { a: 1 },
  channel_versions: { a: 1 },
};
const config = { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: '1' } };
const metadata = { source: 'input', step: -1, parents: {} };

async function listed(...given: Parameters<MaceSaver['list']>): Promise<void> {
  for await (const _ of saver.list(...given)) return;
}

const CALLS: readonly [string, readonly unknown[], (...given: never[]) => unknown][] = [
  ['MaceSaver.getTuple', [config], (...given: [never]) => saver.getTuple(...given)],
  [
    'MaceSaver.list',
    [config, { limit: 1, before: config, filter: { step: -1 } }],
    (...given: [never]) => listed(...given),
  ],
  [
    'MaceSaver.put',
    [config, checkpoint, metadata, { a: 1 }],
    (...given: [never, never, never, never]) => saver.put(...given),
  ],
  [
    'MaceSaver.putWrites',
    [config, [['a', 1]], 'task', 'path'],
    (...given: [never, never, never, never]) => saver.putWrites(...given),
  ],
  ['MaceSaver.deleteThread', ['none'], (id: never) => saver.deleteThread(id)],
  ['MaceStore.get', [['n'], 'key'], (...given: [never, never]) => store.get(...given)],
  [
    'MaceStore.put',
    [['n'], 'key', { a: 1 }],
    (...given: [never, never, never]) => store.put(...given),
  ],
  ['MaceStore.delete', [['n'], 'none'], (...given: [never, never]) => store.delete(...given)],
  [
    'MaceStore.search',
    [['n'], { query: 'tea', limit: 1, offset: 0, filter: { a: 1 } }],
    (...given: [never, never]) => store.search(...given),
  ],
  [
    'MaceStore.listNamespaces',
    [{ prefix: ['n'], suffix: ['n'], maxDepth: 1, limit: 1, offset: 0 }],
    (options: never) => store.listNamespaces(options),
  ],
  [
    'MaceStore.batch',
    [
      [
        { namespace: ['n'], key: 'other', value: { a: 1 } },
        { namespace: ['n'], key: 'key', value: { a: 1 } },
        { namespace: ['n'], key: 'key' },
        { namespacePrefix: ['n'], limit: 1 },
        { matchConditions: [{ matchType: 'prefix', path: ['n'] }], limit: 1, offset: 0 },
      ],
    ],
    (...given: [never]) => store.batch(...given),
  ],
];

it.each(CALLS)(
  '%s names an argument that it cannot use, and writes nothing',
  async (_, whole, call) => {
    expect(await badCalls({ whole, call, position })).toStrictEqual([]);
  },
  60_000,
);

it('a step that is too large is refused with the limit and the size of each channel', async () => {
  const values = { small: 'a', large: 'é'.repeat(600_000) };
  const versions = { small: 1, large: 1 };
  const step = { ...checkpoint, id: '2', channel_values: values, channel_versions: versions };
  const sizes =
    /at most 1048576 bytes, and its channels have 12\d{5}: large 12\d{5}, small \d\d\.$/;
  await expect(saver.put(config, step, metadata as never, versions)).rejects.toThrow(sizes);
  await expect(saver.putWrites(config, Object.entries(values), 'task')).rejects.toThrow(sizes);
  expect(
    await saver.getTuple({ configurable: { thread_id: 't', checkpoint_id: '2' } }),
  ).toBeUndefined();
});
