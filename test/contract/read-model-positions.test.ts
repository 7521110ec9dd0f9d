import { expect, test } from '@jest/globals';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';

const TIMEOUT_MS = 2_000;

/** A Postgres that answers on its open connections, and opens further ones only when the test lets it. */
function busyPostgres(position: string) {
  const postgres = new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  let refuse: (cause: Error) => void = () => undefined;
  const connecting = new Promise<never>((_, reject) => (refuse = reject));
  connecting.catch(() => undefined);
  Object.defineProperties(postgres, {
    connect: { value: () => connecting },
    query: { value: async () => [{ position }] },
  });
  return { postgres, refuse: () => refuse(new Error('too many connections')) };
}

test('a read that waits for another process’s leader sees its checkpoint while the connection for NOTIFY is still opening', async () => {
  const { postgres, refuse } = busyPostgres('7');
  const watch = new PositionWatch(postgres);
  await watch.waitFor(['sem'], 7n, TIMEOUT_MS);
  expect(watch.positionOf('sem')).toBe(7n);
  refuse();
  await watch.close();
  await postgres.close();
});
