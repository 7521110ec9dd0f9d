import { expect, it } from 'vitest';
import { badCalls } from '../../testing/arguments.mjs';
import { MaceSession } from '../src/index.js';
import { newClient, userSaid } from './support.js';

const client = newClient();
const session = new MaceSession(client, 'chat');
const position = () => client.position;
const item = userSaid('Hello');
const CALLS: readonly [string, readonly unknown[], (...given: never[]) => unknown][] = [
  ['new MaceSession', ['chat'], (id) => new MaceSession(client, id).getItems()],
  ['getItems', [1], (...given) => session.getItems(...given)],
  ['addItems', [[item]], (...given) => session.addItems(...(given as [never]))],
  [
    'replaceHistoryWithCompaction',
    [[item]],
    (...given) => session.replaceHistoryWithCompaction(...(given as [never])),
  ],
  [
    'applyHistoryMutations',
    [
      {
        mutations: [
          {
            type: 'replace_function_call',
            callId: 'a',
            replacement: { type: 'function_call', callId: 'a', name: 'b', arguments: '{}' },
          },
        ],
      },
    ],
    (...given) => session.applyHistoryMutations(...(given as [never])),
  ],
  [
    'applyHistoryTransaction',
    [{ operationId: 'a', transaction: { type: 'append_items', items: [item] } }],
    (...given) => session.applyHistoryTransaction(...(given as [never])),
  ],
];

it.each(CALLS)(
  '%s names an argument that it cannot use, and writes nothing',
  async (_, whole, call) => {
    await session.addItems([item]);
    expect(await badCalls({ whole, call, position })).toStrictEqual([]);
  },
  60_000,
);
