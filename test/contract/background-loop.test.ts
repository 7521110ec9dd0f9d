import { expect, test } from '@jest/globals';
import { BackgroundLoop } from '#platform/background-loop.js';

test('a background loop runs one round after the other, never two at once, until it is stopped', async () => {
  const alive = setInterval(() => undefined, 1_000);
  let [rounds, underWay] = [0, 0];
  const loop = await new Promise<BackgroundLoop>((resolve) => {
    const started = new BackgroundLoop(async () => {
      underWay += 1;
      expect(underWay).toBe(1);
      await new Promise((done) => setImmediate(done));
      underWay -= 1;
      rounds += 1;
      if (rounds === 3) resolve(started);
      return 0;
    });
    started.start();
  });
  await loop.stop();
  const seen = rounds;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(rounds).toBe(seen);
  clearInterval(alive);
});

test('stop aborts the round that is under way and waits for its end', async () => {
  const alive = setInterval(() => undefined, 1_000);
  let hasEnded = false;
  let reportBegin: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (reportBegin = resolve));
  const loop = new BackgroundLoop(async (signal) => {
    reportBegin();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    hasEnded = true;
    return 0;
  });
  loop.start();
  await underWay;
  await loop.stop();
  expect(hasEnded).toBe(true);
  clearInterval(alive);
});

test('stop ends a pause, even the first one, and no further round starts', async () => {
  const loop = new BackgroundLoop(() => {
    throw new Error('a round ran');
  });
  loop.start(3_600_000);
  await loop.stop();
  await new BackgroundLoop(() => {
    throw new Error('a round ran');
  }).stop();
});
