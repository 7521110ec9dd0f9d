import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventBuffer } from '#read-model/event-buffer.js';
import { eventAt } from './read-model-world.js';

const LONG_MS = 3_600_000;

test('a rest between two slices is broken off when somebody begins to wait for the rows', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.stirred(LONG_MS);
  buffer.stir();
  await rest;
});

test('who begins to wait just before a rest breaks it off as well', async () => {
  const buffer = new EventBuffer();
  buffer.stir();
  await buffer.stirred(LONG_MS);
});

test('what somebody waited for is there again when the slice, grown, is taken', async () => {
  const buffer = new EventBuffer();
  assert.equal(buffer.peek(), undefined);
  const [first, second] = [eventAt(0), eventAt(1)];
  await buffer.push([first]);
  assert.deepEqual(buffer.peek(), { events: [first], position: 1n });
  await buffer.push([second]);
  buffer.passed(9n);
  const slice = { events: [first, second], position: 9n };
  assert.deepEqual(buffer.peek(), slice);
  assert.deepEqual(await buffer.take(), slice);
  assert.equal(buffer.peek(), undefined);
  assert.ok(buffer.isEmpty);
});

test('so many events as are worth a slice of their own are not waited for any longer', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.stirred(LONG_MS);
  await buffer.push(Array.from({ length: 499 }, (_, number) => eventAt(number)));
  assert.ok(!buffer.isRipe);
  await buffer.push([eventAt(499)]);
  await rest;
  assert.ok(buffer.isRipe);
  assert.equal((await buffer.take())?.events.length, 500);
});

test('a buffer that is closed rests no more', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.stirred(LONG_MS);
  buffer.close();
  await rest;
  assert.ok(buffer.isRipe);
});
