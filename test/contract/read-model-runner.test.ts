import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Refusal } from '#domain/errors/refusal.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { openLogger } from '#platform/start/logger.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { type NamedQuery, Postgres, type PostgresOptions } from '#read-model/postgres.js';
import { projectionRecords, requestRebuild } from '#read-model/projection-records.js';
import { ProjectionRunner, type RunnerOptions } from '#read-model/projection-runner.js';
import type { Projection, ProjectionTransaction } from '#read-model/projection.js';
import {
  moveCheckpoints,
  OwnershipLost,
  schemaState,
  swapSchemas,
  createSchema,
} from '#read-model/schema-layout.js';
import { newTrack, SliceWriter } from '#read-model/slice-writer.js';
import { concerns, upcastLogged } from '#read-model/upcasting.js';
import { productProjections } from '#test/support/product-projections.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { appendNotes, dumpOf, eventAt, notesIn, tally, until } from './read-model-world.js';

let eventStoreServer: TestServer;
let eventStore: EventStore;
let postgresServer: TestServer;
let postgres: Postgres;
let watch: PositionWatch;
const runners: ProjectionRunner[] = [];

before(async () => {
  eventStoreServer = await startTestEventStore();
  eventStore = connectEventStore(eventStoreServer.url);
});

beforeEach(async () => {
  postgresServer = await startTestPostgres();
  postgres = new Postgres({ url: postgresServer.url });
  watch = new PositionWatch(postgres);
});

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await watch.close();
  await postgres.close();
  await postgresServer.stop();
});

after(async () => {
  await eventStore.close();
  await eventStoreServer.stop();
});

function run(projections: readonly Projection[], more: Partial<RunnerOptions> = {}) {
  const log = openLogger('silent');
  const runner = new ProjectionRunner({ eventStore, postgres, projections, watch, log, ...more });
  runners.push(runner);
  runner.start();
  return runner;
}

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly projection?: string;
}

/** A log whose lines a test reads. */
const logTo = (lines: LogLine[]) =>
  openLogger('info', { write: (line) => void lines.push(JSON.parse(line) as LogLine) });

const says = (lines: readonly LogLine[], words: string): boolean =>
  lines.some(({ msg }) => msg.includes(words));

const quietWriter = (): SliceWriter =>
  new SliceWriter(
    postgres,
    () => undefined,
    async () => undefined,
  );

/** Takes its time with what concerns one schema. */
class SlowPostgres extends Postgres {
  constructor(
    options: PostgresOptions,
    private readonly schema: string,
  ) {
    super(options);
  }

  override async query<Row extends object>(
    query: string | NamedQuery,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const text = typeof query === 'string' ? query : query.text;
    if (`${text} ${String(values[0])}`.includes(`${this.schema}.checkpoint`)) await delay(200);
    return super.query<Row>(query, values);
  }
}

const wait = (names: readonly string[], position: bigint) => watch.waitFor(names, position, 20_000);

/** Notes in the whole log so far: each test has its own database and all share one log. */
async function notesInLog(): Promise<number> {
  let count = 0;
  let caughtUp: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (caughtUp = resolve));
  const subscription = eventStore.subscribe({
    after: undefined,
    onEvents: async (events) => {
      count += events.filter(({ stream }) => stream.startsWith('note-')).length;
    },
    onCaughtUp: () => caughtUp(),
  });
  await end;
  await subscription.stop();
  return count;
}

test('every event takes effect once, whether it was there before or came later', async () => {
  await appendNotes(eventStore, 'note', 700);
  run([tally()]);
  await wait(['tally'], await appendNotes(eventStore, 'note', 30));
  assert.equal(await notesIn(postgres), await notesInLog());
});

test('a connection that is cut in the middle of a batch doubles and loses nothing', async () => {
  let cuts = 3;
  const cut = tally({
    before: async (tx) => {
      if ((cuts -= 1) >= 0) await tx.query('select pg_terminate_backend(pg_backend_pid())');
    },
  });
  run([cut, tally({ name: 'other' })]);
  await wait(['tally', 'other'], await appendNotes(eventStore, 'note', 50));
  assert.ok(cuts < 0);
  assert.equal(await notesIn(postgres), await notesInLog());
  assert.equal(await notesIn(postgres, 'other'), await notesInLog());
});

test('what somebody waits for in one read model is written for all of them', async () => {
  run([tally(), tally({ name: 'other' })]);
  await wait(['tally'], await appendNotes(eventStore, 'note', 5));
  assert.equal(await notesIn(postgres), await notesInLog());
  assert.equal(await notesIn(postgres, 'other'), await notesInLog());
});

test('what does not concern a read model shows in it before any row is written', async () => {
  let held = false;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const busy = tally({ name: 'other', before: async () => (held ? released : undefined) });
  run([{ ...tally(), categories: ['nothing'] }, busy]);
  await wait(['tally', 'other'], await appendNotes(eventStore, 'note', 1));
  held = true;
  const end = await appendNotes(eventStore, 'note', 5);
  await wait(['tally'], end);
  const checkpoint = async () => (await schemaState(postgres, 'tally'))?.position ?? 0n;
  assert.ok((await checkpoint()) < end);
  release();
  await until(async () => (await checkpoint()) >= end);
});

test('of its streams a read model is given the types that it names, and those that nobody knows', () => {
  const picky: Projection = { ...tally(), categories: ['job'], types: new Set(['wm_inserted']) };
  const given = (type: string, stream = 'job-a'): boolean =>
    concerns(picky, { ...eventAt(0, stream), type });
  assert.ok(given('wm_inserted'));
  assert.ok(
    given('written_by_a_later_release'),
    'what is passed over now would be missing for good',
  );
  assert.ok(!given('ticked'));
  assert.ok(!given('wm_inserted', 'note-a'));
});

test('every category that a read model is made of has its schemas, so that old events are lifted', async () => {
  for (const { categories } of await productProjections())
    for (const category of categories) {
      const unknown = { ...eventAt(0, `${category}-a`), type: 'written_by_a_later_release' };
      assert.throws(() => upcastLogged(unknown), UnreadableEvent, category);
    }
});

test('the checkpoint passes over events that are not its own', async () => {
  run([tally()]);
  await wait(['tally'], await appendNotes(eventStore, 'foreign', 5));
  assert.equal(await notesIn(postgres), await notesInLog());
});

test('an owner whose checkpoint was moved by another writes nothing', async () => {
  const projection = tally();
  await createSchema(postgres, projection, 'tally');
  const writer = quietWriter();
  const stalled = newTrack(projection, 'tally', undefined);
  await writer.write([newTrack(projection, 'tally', undefined)], { events: [], position: 10n });
  await assert.rejects(writer.write([stalled], { events: [], position: 5n }), OwnershipLost);
  assert.equal((await schemaState(postgres, 'tally'))?.position, 10n);
});

test('rows are found by their keys, also by statements that were first planned on empty tables', async () => {
  const touching = tally({
    before: async (tx, events) => {
      await tx.query('select pg_stat_force_next_flush()');
      await tx.query(
        `update note set number = seen.number
         from json_to_recordset($1::json) as seen (stream text, number int)
         where note.stream = seen.stream and note.number = seen.number`,
        [JSON.stringify(events.map(({ stream, number }) => ({ stream, number })))],
      );
    },
  });
  await createSchema(postgres, touching, 'tally');
  const writer = quietWriter();
  const track = newTrack(touching, 'tally', undefined);
  for (let number = 0; number < 20; number += 1) {
    const event = eventAt(number);
    await writer.write([track], { events: [event], position: event.position });
  }
  const [note] = await postgres.query<{ seq_scan: string; idx_scan: string }>(
    `select seq_scan, idx_scan from pg_stat_user_tables where relname = 'note'`,
  );
  assert.equal(note?.seq_scan, '2', 'as its two indexes were made');
  assert.ok(Number(note.idx_scan) >= 19);
});

test('a read model that has a part of a slice meets a poison event in the rest of it without doubling', async () => {
  const poisonAt = 6;
  const poisonous = tally({
    before: async (_, events) => {
      if (events.some(({ number }) => number === poisonAt)) throw new Error('poison');
    },
  });
  await createSchema(postgres, poisonous, 'tally');
  const poisons: string[] = [];
  const writer = new SliceWriter(
    postgres,
    () => undefined,
    async (_, { number }) => void poisons.push(String(number)),
  );
  const track = newTrack(poisonous, 'tally', undefined);
  const events = Array.from({ length: 8 }, (_, number) => eventAt(number));
  await writer.write([track], { events: events.slice(0, 6), position: 6n });
  await writer.write([track], { events, position: 8n });
  assert.deepEqual([poisons, track.position, await notesIn(postgres)], [['6'], 6n, 6]);
});

test('an owner that stalled before a swap cannot write into the swapped tables', async () => {
  const projection = tally();
  await createSchema(postgres, projection, 'tally');
  await createSchema(postgres, projection, 'tally__next');
  await postgres.query('create schema read_models');
  await postgres.query(
    `create table read_models.projection (name text, rebuild_requested boolean,
       stopped_position bigint, stopped_stream text, stopped_number bigint, stopped_type text,
       stopped_reason text)`,
  );
  const rebuilt = newTrack(projection, 'tally__next', undefined);
  const writer = quietWriter();
  await writer.write([rebuilt], { events: [], position: 3n });
  await swapSchemas(postgres, 'tally');
  const stalled = newTrack(projection, 'tally', undefined);
  await assert.rejects(writer.write([stalled], { events: [], position: 5n }), OwnershipLost);
  assert.equal((await schemaState(postgres, 'tally'))?.position, 3n);
});

test('a second runner stands by and takes over when the owner loses its lock', async () => {
  const projects = 'This process projects';
  const lines = { first: [] as LogLine[], second: [] as LogLine[] };
  const first = run([tally()], { log: logTo(lines.first) });
  await until(() => says(lines.first, projects));
  run([tally()], { log: logTo(lines.second) });
  await wait(['tally'], await appendNotes(eventStore, 'note', 20));
  assert.ok(!says(lines.second, projects));
  await first.stop();
  await until(() => says(lines.second, projects));
  await wait(['tally'], await appendNotes(eventStore, 'note', 20));
  assert.equal(await notesIn(postgres), await notesInLog());
});

test('the owner whose lock connection is cut gives way and nothing is doubled', async () => {
  run([tally()]);
  run([tally()]);
  await wait(['tally'], await appendNotes(eventStore, 'note', 10));
  for (let round = 0; round < 3; round += 1) {
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
    await wait(['tally'], await appendNotes(eventStore, 'note', 10));
  }
  assert.equal(await notesIn(postgres), await notesInLog());
});

test('a poison event stops its projection just before itself, and no other', async () => {
  const before = await notesInLog();
  const poisonAt = before + 12;
  let seen = 0;
  const lines: LogLine[] = [];
  const fragile = tally({
    name: 'fragile',
    before: async (tx, events) => {
      const [row] = await tx.query<{ n: string }>('select count(*) as n from note');
      seen = Number(row?.n) + events.length;
      if (seen >= poisonAt) throw new Error('cannot take it');
    },
  });
  const runner = run([fragile, tally()], { log: logTo(lines) });
  const position = await appendNotes(eventStore, 'note', 30);
  await wait(['tally'], position);
  assert.equal(await notesIn(postgres), before + 30);
  const stopped = async () =>
    (await projectionRecords(postgres)).find(({ name }) => name === 'fragile')?.poison;
  await until(async () => (await stopped()) !== undefined);
  assert.equal((await stopped())?.number, 11);
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error').map(({ projection }) => projection),
    ['fragile'],
  );
  assert.equal(await notesIn(postgres, 'fragile'), poisonAt - 1);
  await wait(['tally'], await appendNotes(eventStore, 'note', 5));
  assert.equal(await notesIn(postgres, 'fragile'), poisonAt - 1);

  await runner.stop();
  run([tally({ name: 'fragile' }), tally()]);
  await wait(['fragile'], await appendNotes(eventStore, 'note', 1));
  assert.equal(await notesIn(postgres, 'fragile'), await notesInLog());
  assert.equal((await projectionRecords(postgres))[0]?.poison, undefined);
});

test('a rebuild gives the same rows, and queries are answered all the while', async () => {
  const lines: LogLine[] = [];
  const rebuilt = (): number => lines.filter(({ msg }) => msg.includes('was rebuilt')).length;
  const runner = run([tally()], { log: logTo(lines) });
  await wait(['tally'], await appendNotes(eventStore, 'note', 200));
  let counted = 0;
  let querying = true;
  const queries = (async () => {
    for (let last = 0; querying; counted += 1) {
      const now = await notesIn(postgres);
      assert.ok(now >= last, 'a query saw fewer rows than the one before');
      last = now;
    }
  })();
  for (let round = 1; round <= 3; round += 1) {
    assert.ok(await requestRebuild(postgres, 'tally'));
    await appendNotes(eventStore, 'note', 50);
    await until(() => rebuilt() === round);
  }
  await wait(['tally'], await appendNotes(eventStore, 'note', 1));
  querying = false;
  await queries;
  assert.ok(counted > 0);
  assert.equal(await notesIn(postgres), await notesInLog());
  const dump = await dumpOf(postgres, 'tally');
  await runner.stop();
  await postgres.query('drop schema tally cascade');
  run([tally()]);
  await until(async () => (await schemaState(postgres, 'tally'))?.position !== undefined);
  await until(async () => (await notesIn(postgres)) === (await notesInLog()));
  assert.deepEqual(await dumpOf(postgres, 'tally'), dump);
});

test('another version of a read model is rebuilt at the start', async () => {
  const first = run([tally()]);
  await wait(['tally'], await appendNotes(eventStore, 'note', 10));
  await first.stop();
  run([tally({ version: 2 })]);
  await until(async () => (await schemaState(postgres, 'tally'))?.version === 2);
  await wait(['tally'], await appendNotes(eventStore, 'note', 10));
  assert.equal(await notesIn(postgres), await notesInLog());
});

test('a rebuild that is done before all read models are looked at does not disturb the others', async () => {
  const models = (version: number) => [tally({ name: 'first', version }), tally({ name: 'last' })];
  const runner = run(models(1));
  await wait(['first', 'last'], await appendNotes(eventStore, 'note', 5));
  await runner.stop();
  await appendNotes(eventStore, 'note', 1_000);
  const slow = new SlowPostgres({ url: postgresServer.url }, 'last');
  const lines: LogLine[] = [];
  try {
    const second = run(models(2), { postgres: slow, log: logTo(lines) });
    for (let appends = 0; appends < 200; appends += 1) {
      await appendNotes(eventStore, 'note', 1);
      await delay(3);
    }
    await wait(['first', 'last'], await appendNotes(eventStore, 'note', 5));
    await until(() => says(lines, 'was rebuilt'));
    assert.deepEqual(
      lines.filter(({ level }) => level !== 'info'),
      [],
    );
    assert.equal(await notesIn(postgres, 'first'), await notesInLog());
    assert.equal(await notesIn(postgres, 'last'), await notesInLog());
    await second.stop();
  } finally {
    await slow.close();
  }
});

test('a transaction is all there or not at all, whatever of it fails first', async () => {
  await postgres.query('create table made (by_whom text)');
  const insert = 'insert into made values ($1)';
  const made = async () => (await postgres.query<{ by_whom: string }>('select * from made')).length;
  const ended = postgres.transaction(async (tx) => {
    await tx.query(insert, ['whoever goes on after a failure']);
    await tx.query('select 1/0').catch(() => undefined);
  });
  await assert.rejects(ended, /rolled back/);
  await assert.rejects(
    postgres.transaction((tx) => tx.query(insert, ['a faulty setting']), ['jit = maybe']),
    { code: '22023' },
  );
  assert.equal(await made(), 0);
  await postgres.transaction((tx) => tx.query(insert, ['a good one']), ['jit = off']);
  assert.equal(await made(), 1);
});

test('checkpoints are moved by their key, which every Postgres plans as cheap', async () => {
  await createSchema(postgres, tally(), 'tally');
  let plan = '';
  await postgres.transaction(
    (tx) => {
      const explaining: ProjectionTransaction = {
        query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
          const lines = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
          plan = lines.map((line) => line['QUERY PLAN']).join('\n');
          return [{ moved: '1' }] as unknown as Row[];
        },
      };
      return moveCheckpoints(explaining, [newTrack(tally(), 'tally', undefined)], 1n);
    },
    ['enable_seqscan = off', 'enable_bitmapscan = off'],
  );
  assert.match(plan, /Index Scan using checkpoint_pkey/);
  assert.doesNotMatch(plan, /Disabled/);
});

test('a process without a runner hears of positions, and is refused when they do not come', async () => {
  run([tally()]);
  const elsewhere = new PositionWatch(postgres);
  try {
    const position = await appendNotes(eventStore, 'note', 3);
    await elsewhere.waitFor(['tally'], position, 20_000);
    await assert.rejects(
      elsewhere.waitFor(['tally'], position + 1_000_000n, 100),
      (cause) => cause instanceof Refusal && cause.code === 'PROJECTION_LAG',
    );
  } finally {
    await elsewhere.close();
  }
});
