import { expect, test } from '@jest/globals';
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
  expect(buffer.peek()).toBeUndefined();
  const [first, second] = [eventAt(0), eventAt(1)];
  await buffer.push([first]);
  expect(buffer.peek()).toStrictEqual({ events: [first], position: 1n });
  await buffer.push([second]);
  buffer.passed(9n);
  const slice = { events: [first, second], position: 9n };
  expect(buffer.peek()).toStrictEqual(slice);
  expect(await buffer.take()).toStrictEqual(slice);
  expect(buffer.peek()).toBeUndefined();
  expect(buffer.isEmpty).toBe(true);
});

test('so many events as are worth a slice of their own are not waited for any longer', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.stirred(LONG_MS);
  await buffer.push(Array.from({ length: 499 }, (_, number) => eventAt(number)));
  expect(buffer.isRipe).toBe(false);
  await buffer.push([eventAt(499)]);
  await rest;
  expect(buffer.isRipe).toBe(true);
  expect((await buffer.take())?.events.length).toBe(500);
});

test('a buffer that is closed rests no more', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.stirred(LONG_MS);
  buffer.close();
  await rest;
  expect(buffer.isRipe).toBe(true);
});
