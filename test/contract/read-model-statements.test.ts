import { expect, test } from '@jest/globals';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import type { Projection } from '#read-model/projection.js';
import { createSchema, liveSchema, nextSchema, schemaState } from '#read-model/schema-layout.js';
import { newTrack, SliceWriter } from '#read-model/slice-writer.js';
import { startTestEventStore } from '#test/support/servers.js';
import { appendNotes, eventAt, ReadModelWorld, tally, until } from './read-model-world.js';

const world = new ReadModelWorld(startTestEventStore);

/** A read model of all numbers of events, which notes what it reads back from its own table. */
const numbersAs = (
  type: 'int' | 'text',
  name: string,
  version: number,
  seen: unknown[],
): Projection => ({
  name,
  version,
  tables: `create table seen (number ${type} primary key)`,
  categories: ['sample'],
  async project(tx, events) {
    for (const { number } of events) {
      await tx.query(
        'insert into seen select value from json_to_recordset($1) as row (value int)',
        [JSON.stringify([{ value: number }])],
      );
      const rows = await tx.query<{ number: unknown }>(
        'select number from seen order by number limit $1',
        [10],
      );
      seen.push(rows.map((row) => row.number));
    }
  },
});

/** Makes a writer that fails at an event that it cannot project. */
const writerOn = (postgres: Postgres) =>
  new SliceWriter(
    postgres,
    () => undefined,
    async (_, { reason }) => {
      throw new Error(reason);
    },
  );

test('two read models whose tables have the same name read their own with equal statements', async () => {
  const [ints, texts]: [unknown[], unknown[]] = [[], []];
  const models = [numbersAs('int', 'ints', 1, ints), numbersAs('text', 'texts', 1, texts)];
  const tracks = models.map((model) => newTrack(model, liveSchema(model.name), undefined));
  for (const { projection, schema } of tracks)
    await createSchema(world.postgres, projection, schema);
  const writer = writerOn(world.postgres);
  for (const number of [0, 1]) {
    const event = eventAt(number);
    await writer.write(tracks, { events: [event], position: event.position });
  }
  expect(ints).toStrictEqual([[0], [0, 1]]);
  expect(texts).toStrictEqual([['0'], ['0', '1']]);
});

test('a rebuild fills tables with other columns while the live ones are written on the same connection', async () => {
  const [before, after]: [unknown[], unknown[]] = [[], []];
  const live = newTrack(numbersAs('int', 'numbers', 1, before), liveSchema('numbers'), undefined);
  const next = newTrack(numbersAs('text', 'numbers', 2, after), nextSchema('numbers'), undefined);
  const one = new Postgres({ url: world.postgresUrl, maxConnections: 1 });
  try {
    for (const { projection, schema } of [live, next]) await createSchema(one, projection, schema);
    const writer = writerOn(one);
    for (const track of [live, next, live])
      await writer.write([track], {
        events: [eventAt(track.position === undefined ? 0 : 1)],
        position: track.position === undefined ? 1n : 2n,
      });
    expect([before, after]).toStrictEqual([[[0], [0, 1]], [['0']]]);
  } finally {
    await one.close();
  }
});

const ALL_NOTES = { name: 'all_notes', text: 'select * from tally.note where number >= $1' };

test('reads that connections have prepared are answered after a rebuild has added a column', async () => {
  const first = world.run([tally()]);
  await world.watch.waitFor(['tally'], await appendNotes(world.eventStore, 'sample', 3), 20_000);
  const atOnce = () =>
    Promise.all(Array.from({ length: 20 }, () => world.postgres.query(ALL_NOTES, [0])));
  const old = await atOnce();
  await first.stop();
  const { tables } = tally();
  world.run([{ ...tally({ version: 2 }), tables: tables.replace('unique', `added text, unique`) }]);
  await until(async () => (await schemaState(world.postgres, 'tally'))?.version === 2);
  for (const rows of await atOnce()) {
    expect(rows.length).toBe(old[0]?.length);
    expect(rows[0]).toHaveProperty('added', null);
  }
});

test('a transaction with an outdated plan fails as an outage does, and the next one plans anew', async () => {
  const one = new Postgres({ url: world.postgresUrl, maxConnections: 1 });
  const read = () =>
    one.transaction((tx) => tx.query('select * from changing where true or $1', [true]));
  try {
    await one.query('create table changing (first int)');
    await read();
    await one.query('alter table changing add column second int');
    await expect(read()).rejects.toThrow(PostgresUnavailable);
    expect(await read()).toStrictEqual([]);
  } finally {
    await one.close();
  }
});
