import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EventBuffer } from '#read-model/event-buffer.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { Rest } from '#read-model/rest.js';
import { eventAt } from './read-model-world.js';

const LONG_MS = 3_600_000;

const postgres = new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
const watch = new PositionWatch(postgres);

after(async () => {
  await watch.close();
  await postgres.close();
});

/** Ends as soon as that read model shows the position. */
const waiting = (name: string): Promise<void> => watch.waitFor([name], 1n, LONG_MS);

test('a rest between two writes ends when somebody begins to wait', async () => {
  const rest = new Rest(watch, LONG_MS);
  const taken = rest.taken();
  const waited = waiting('first');
  await taken;
  watch.passed('first', 1n);
  await waited;
  rest.stop();
});

test('no rest is taken while somebody waits', async () => {
  const rest = new Rest(watch, LONG_MS);
  const waited = waiting('second');
  await rest.taken();
  watch.passed('second', 1n);
  await waited;
  rest.stop();
});

test('a rest ends by itself, and at once when the feed stops', async () => {
  await new Rest(watch, 1).taken();
  const rest = new Rest(watch, LONG_MS);
  const taken = rest.taken();
  rest.stop();
  await taken;
  await rest.taken();
});

test('a slice holds everything that has come, and the position that the log has passed', async () => {
  const buffer = new EventBuffer();
  const [first, second] = [eventAt(0), eventAt(1)];
  await buffer.push([first]);
  await buffer.push([second]);
  buffer.passed(9n);
  assert.deepEqual(await buffer.take(), { events: [first, second], position: 9n });
  assert.ok(buffer.isEmpty);
});

test('so many events as are worth a slice of their own are enough', async () => {
  const buffer = new EventBuffer();
  await buffer.push(Array.from({ length: 499 }, (_, number) => eventAt(number)));
  assert.ok(!buffer.hasEnough);
  await buffer.push([eventAt(499)]);
  assert.ok(buffer.hasEnough);
  assert.equal((await buffer.take())?.events.length, 500);
});
