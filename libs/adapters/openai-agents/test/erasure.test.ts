import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { EMAIL, erase } from '../../testing/erase.mjs';
import { MaceSession } from '../src/index.js';
import { assistantSaid, userSaid } from './support.js';

const ERASED = { role: 'system', content: '[ERASED]' };

it('After an erasure, a placeholder stands for each item that is gone, also when the history changes', async () => {
  const userId = `user-${randomUUID()}`;
  const token = mintToken({ sub: 'agent', userId });
  const session = new MaceSession(new MaceClient({ baseUrl: serviceUrl(), token }), 'chat');
  await session.addItems([userSaid(`I am ${EMAIL}`), assistantSaid('Hello'), userSaid(EMAIL)]);
  await erase(userId);
  expect(await session.getItems()).toStrictEqual([ERASED, assistantSaid('Hello'), ERASED]);
  await session.applyHistoryTransaction({
    operationId: 'op',
    transaction: {
      type: 'replace_suffix',
      expectedSuffix: (await session.getItems()).slice(1),
      replacement: [assistantSaid('Hi')],
    },
  });
  expect(await session.getItems()).toStrictEqual([ERASED, assistantSaid('Hi')]);
  expect(await session.popItem()).toStrictEqual(assistantSaid('Hi'));
  expect(await session.popItem()).toStrictEqual(ERASED);
  expect(await session.popItem()).toBeUndefined();
}, 60_000);
