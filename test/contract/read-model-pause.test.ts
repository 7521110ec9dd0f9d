import { afterAll, expect, test } from '@jest/globals';
import { EventBuffer } from '#read-model/event-buffer.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { LeaderPause } from '#read-model/leader-pause.js';
import { eventAt } from './read-model-world.js';

const LONG_MS = 3_600_000;

const postgres = new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
const watch = new PositionWatch(postgres);

afterAll(async () => {
  await watch.close();
  await postgres.close();
});

/** Resolves as soon as the read model shows position 1. */
const waiting = (name: string): Promise<void> => watch.waitFor([name], 1n, LONG_MS);

/**
 * Starts the leader's pause. Returns the names that are written during the pause, a promise of the first
 * write, and a promise of the end of the pause.
 */
function startPause(longestMs = LONG_MS) {
  const pause = new LeaderPause(watch, longestMs);
  const written: string[][] = [];
  let onWrite: () => void = () => undefined;
  const firstWrite = new Promise<void>((resolve) => (onWrite = resolve));
  const taken = pause.taken(async (names) => {
    written.push([...names]);
    onWrite();
  });
  return { pause, written, firstWrite, taken };
}

test("during the leader's pause, a read model that a caller begins to wait for is written, and no other", async () => {
  const { pause, written, firstWrite, taken } = startPause();
  const waited = waiting('first');
  await firstWrite;
  watch.passed('first', 1n);
  await waited;
  pause.stop();
  await taken;
  expect(written).toStrictEqual([['first']]);
});

test('a read model is written at once for a caller that is about to wait for it', async () => {
  const { pause, written, firstWrite, taken } = startPause();
  watch.hurry(['first', 'second']);
  await firstWrite;
  pause.stop();
  await taken;
  expect(written).toStrictEqual([['first', 'second']]);
});

test('a read model for which a caller requests an immediate write while the leader does not pause is written when the next pause begins', async () => {
  const pause = new LeaderPause(watch, LONG_MS);
  watch.hurry(['late']);
  await new Promise<void>((resolve) => {
    void pause.taken(async (names) => {
      expect([...names]).toStrictEqual(['late']);
      resolve();
    });
  });
  pause.stop();
});

test("if a write during the leader's pause fails, the pause rejects with the error of the write", async () => {
  const pause = new LeaderPause(watch, LONG_MS);
  const taken = pause.taken(() => Promise.reject(new Error('not written')));
  pause.hurry(['first']);
  await expect(taken).rejects.toThrow('not written');
  pause.stop();
});

test("the leader's pause ends after its duration, and at once when the feed stops", async () => {
  await startPause(1).taken;
  const { pause, taken, written } = startPause();
  pause.stop();
  await taken;
  await pause.taken(() => Promise.reject(new Error('a pause was taken after the stop')));
  expect(written).toStrictEqual([]);
});

test('a slice of events has every buffered event and the position up to which the log was read', async () => {
  const buffer = new EventBuffer();
  const [first, second] = [eventAt(0), eventAt(1)];
  await buffer.push([first]);
  await buffer.push([second]);
  buffer.passed(9n);
  expect(buffer.peek()).toStrictEqual({ events: [first, second], position: second.position });
  expect(await buffer.take()).toStrictEqual({ events: [first, second], position: 9n });
  expect(buffer.isEmpty).toBe(true);
  expect(buffer.peek()).toBeUndefined();
});

test('the buffer is full enough for a slice at 500 events', async () => {
  const buffer = new EventBuffer();
  await buffer.push(Array.from({ length: 499 }, (_, number) => eventAt(number)));
  expect(buffer.hasEnough).toBe(false);
  await buffer.push([eventAt(499)]);
  expect(buffer.hasEnough).toBe(true);
  expect((await buffer.take())?.events.length).toBe(500);
});
