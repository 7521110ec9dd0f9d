import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventBuffer } from '#read-model/event-buffer.js';
import { metadataOf } from './read-model-world.js';

const LONG_MS = 3_600_000;

const eventAt = (number: number) => ({
  id: `event-${number}`,
  stream: 'job-rest',
  number,
  type: 'noted',
  data: {},
  metadata: metadataOf(),
  position: BigInt(number + 1),
});

test('a rest between two slices ends at once when somebody begins to wait for the rows', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.rest(LONG_MS);
  buffer.hurry();
  await rest;
});

test('a rest ends when so many events wait that they are worth a slice of their own', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.rest(LONG_MS);
  await buffer.push(Array.from({ length: 500 }, (_, number) => eventAt(number)));
  await rest;
  await buffer.rest(LONG_MS);
  assert.equal((await buffer.take())?.events.length, 500);
});

test('a buffer that is closed rests no more', async () => {
  const buffer = new EventBuffer();
  const rest = buffer.rest(LONG_MS);
  buffer.close();
  await rest;
  await buffer.rest(LONG_MS);
});
