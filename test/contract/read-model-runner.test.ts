import { expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { UnreadableEvent } from '#domain/upcast.js';
import { PositionWatch } from '#read-model/position-watch.js';
import {
  type NamedQuery,
  Postgres,
  type PostgresOptions,
  type PostgresTransaction,
} from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { projectionRecords, requestRebuild } from '#read-model/projection-records.js';
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
import { startTestEventStore } from '#test/support/servers.js';
import {
  appendNotes,
  dumpOf,
  eventAt,
  logTo,
  notesIn,
  ReadModelWorld,
  tally,
  until,
} from './read-model-world.js';
import { ensure } from '#test/support/ensure.js';

const world = new ReadModelWorld(startTestEventStore);

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly projection?: string;
}

const says = (lines: readonly LogLine[], words: string): boolean =>
  lines.some(({ msg }) => msg.includes(words));

const quietWriter = (): SliceWriter =>
  new SliceWriter(
    world.postgres,
    () => undefined,
    async () => undefined,
  );

/** Delays queries of the checkpoint of one schema by 200 ms. */
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

/** Refuses all work while the test says so, as a server that is away. */
class AwayPostgres extends Postgres {
  isAway = false;
  refusals = 0;

  override async query<Row extends object>(
    query: string | NamedQuery,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    this.requireHere();
    return super.query<Row>(query, values);
  }

  override async transaction<T>(
    work: (tx: PostgresTransaction) => Promise<T>,
    settings: readonly string[] = [],
  ): Promise<T> {
    this.requireHere();
    return super.transaction(work, settings);
  }

  private requireHere(): void {
    if (!this.isAway) return;
    this.refusals += 1;
    throw new PostgresUnavailable('it is away');
  }
}

const wait = (names: readonly string[], position: bigint) =>
  world.watch.waitFor(names, position, 20_000);

/** Counts the notes in the log so far. All tests share the log, but each has its own database. */
async function notesInLog(): Promise<number> {
  let count = 0;
  let caughtUp: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (caughtUp = resolve));
  const subscription = world.eventStore.subscribe({
    after: undefined,
    onEvents: async (events) => {
      count += events.filter(({ stream }) => stream.startsWith('sample-')).length;
    },
    onCaughtUp: () => caughtUp(),
  });
  await end;
  await subscription.stop();
  return count;
}

test('every event changes the rows once, whether it was appended before or after the start', async () => {
  await appendNotes(world.eventStore, 'sample', 700);
  world.run([tally()]);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 30));
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
});

test('a connection that is cut in the middle of a batch neither doubles nor loses an event', async () => {
  let cuts = 3;
  const cut = tally({
    before: async (tx) => {
      if ((cuts -= 1) >= 0) await tx.query('select pg_terminate_backend(pg_backend_pid())');
    },
  });
  world.run([cut, tally({ name: 'other' })]);
  await wait(['tally', 'other'], await appendNotes(world.eventStore, 'sample', 50));
  expect(cuts).toBeLessThan(0);
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
  expect(await notesIn(world.postgres, 'other')).toBe(await notesInLog());
});

test('a wait for one read model leaves no event of the other read models unwritten', async () => {
  world.run([tally(), tally({ name: 'other' })]);
  const position = await appendNotes(world.eventStore, 'sample', 5);
  await wait(['tally'], position);
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
  await wait(['other'], position);
  expect(await notesIn(world.postgres, 'other')).toBe(await notesInLog());
});

test('a wait for a read model ends before any row is written if the events do not concern that read model', async () => {
  let held = false;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const busy = tally({ name: 'other', before: async () => (held ? released : undefined) });
  world.run([{ ...tally(), categories: ['nothing'] }, busy]);
  await wait(['tally', 'other'], await appendNotes(world.eventStore, 'sample', 1));
  held = true;
  const end = await appendNotes(world.eventStore, 'sample', 5);
  await wait(['tally'], end);
  const checkpoint = async () => (await schemaState(world.postgres, 'tally'))?.position ?? 0n;
  expect(await checkpoint()).toBeLessThan(end);
  release();
  await until(async () => (await checkpoint()) >= end);
});

test('a read model gets the event types that it lists, and unknown types of its streams', () => {
  const picky: Projection = { ...tally(), categories: ['job'], types: new Set(['wm_inserted']) };
  const given = (type: string, stream = 'job-a'): boolean =>
    concerns(picky, { ...eventAt(0, stream), type });
  expect(given('wm_inserted')).toBe(true);
  // An event that was skipped here would be missing for good.
  expect(given('written_by_a_later_release')).toBe(true);
  expect(given('ticked')).toBe(false);
  expect(given('wm_inserted', 'sample-a')).toBe(false);
});

test('every category of a read model has schemas, so that old events are upcast', async () => {
  for (const { categories } of await productProjections())
    for (const category of categories) {
      const unknown = { ...eventAt(0, `${category}-a`), type: 'written_by_a_later_release' };
      expect(() => upcastLogged(unknown)).toThrow(UnreadableEvent);
    }
});

test('the checkpoint also moves past events of other categories', async () => {
  world.run([tally()]);
  await wait(['tally'], await appendNotes(world.eventStore, 'foreign', 5));
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
});

test('an owner of the projections writes nothing if another owner has moved the checkpoint', async () => {
  const projection = tally();
  await createSchema(world.postgres, projection, 'tally');
  const writer = quietWriter();
  const stalled = newTrack(projection, 'tally', undefined);
  await writer.write([newTrack(projection, 'tally', undefined)], { events: [], position: 10n });
  await expect(writer.write([stalled], { events: [], position: 5n })).rejects.toThrow(
    OwnershipLost,
  );
  expect((await schemaState(world.postgres, 'tally'))?.position).toBe(10n);
});

test('statements find rows by their keys, even if Postgres planned them while the tables were empty', async () => {
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
  await createSchema(world.postgres, touching, 'tally');
  const writer = quietWriter();
  const track = newTrack(touching, 'tally', undefined);
  for (let number = 0; number < 20; number += 1) {
    const event = eventAt(number);
    await writer.write([track], { events: [event], position: event.position });
  }
  const [note] = await world.postgres.query<{ seq_scan: string; idx_scan: string }>(
    `select seq_scan, idx_scan from pg_stat_user_tables where relname = 'note'`,
  );
  // The creation of the two indexes causes the two scans; the statements under test cause no further
  // scan.
  ensure(note?.seq_scan === '2');
  expect(Number(note.idx_scan)).toBeGreaterThanOrEqual(19);
});

test('a read model that has written a part of a slice projects no event twice if the rest of the slice has a poison event', async () => {
  const poisonAt = 6;
  const poisonous = tally({
    before: async (_, events) => {
      if (events.some(({ number }) => number === poisonAt)) throw new Error('poison');
    },
  });
  await createSchema(world.postgres, poisonous, 'tally');
  const poisons: string[] = [];
  const writer = new SliceWriter(
    world.postgres,
    () => undefined,
    async (_, { number }) => void poisons.push(String(number)),
  );
  const track = newTrack(poisonous, 'tally', undefined);
  const events = Array.from({ length: 8 }, (_, number) => eventAt(number));
  await writer.write([track], { events: events.slice(0, 6), position: 6n });
  await writer.write([track], { events, position: 8n });
  expect([poisons, track.position, await notesIn(world.postgres)]).toStrictEqual([['6'], 6n, 6]);
});

test('a read model that opens sealed values gets them opened, and waits while the keys cannot be reached (W2)', async () => {
  const opened: unknown[] = [];
  const projection = {
    ...tally({
      before: async (_, events) =>
        void opened.push(...events.map((event) => (event as { opened?: unknown }).opened)),
    }),
    opens: ({ type }: { readonly type: string }) => ({ jwe: type, type: 'memory' }),
  };
  await createSchema(world.postgres, projection, 'tally');
  const away = new Error('the keys cannot be reached');
  let answers: (() => Promise<{ value: string } | { erased: true }>)[] = [
    () => Promise.reject(away),
  ];
  const poisons: unknown[] = [];
  const writer = new SliceWriter(
    world.postgres,
    () => undefined,
    async (_, poison) => void poisons.push(poison),
    () => (answers.shift() ?? (() => Promise.reject(away)))(),
  );
  const track = newTrack(projection, 'tally', undefined);
  const slice = { events: [eventAt(0), eventAt(1)], position: 2n };
  await expect(writer.write([track], slice)).rejects.toMatchObject({
    name: 'ProjectionFailed',
    projection: 'tally',
  });
  expect([poisons, track.position, await notesIn(world.postgres)]).toStrictEqual([
    [],
    undefined,
    0,
  ]);
  answers = [async () => ({ value: 'said' }), async () => ({ erased: true })];
  await writer.write([track], slice);
  expect([opened, poisons, await notesIn(world.postgres)]).toStrictEqual([
    ['said', undefined],
    [],
    2,
  ]);
});

test('if an owner of the projections stalls before a swap of tables, it cannot write into the new tables', async () => {
  const projection = tally();
  await createSchema(world.postgres, projection, 'tally');
  await createSchema(world.postgres, projection, 'tally__next');
  await world.postgres.query('create schema read_models');
  await world.postgres.query(
    `create table read_models.projection (name text, rebuild_requested boolean,
       stopped_position bigint, stopped_stream text, stopped_number bigint, stopped_type text,
       stopped_reason text, compared_at timestamptz, differences jsonb)`,
  );
  const rebuilt = newTrack(projection, 'tally__next', undefined);
  const writer = quietWriter();
  await writer.write([rebuilt], { events: [], position: 3n });
  await expect(swapSchemas(world.postgres, { projection, position: 2n })).rejects.toThrow(
    OwnershipLost,
  );
  await swapSchemas(world.postgres, rebuilt);
  const stalled = newTrack(projection, 'tally', undefined);
  await expect(writer.write([stalled], { events: [], position: 5n })).rejects.toThrow(
    OwnershipLost,
  );
  expect((await schemaState(world.postgres, 'tally'))?.position).toBe(3n);
});

test('a second runner waits, and takes over when the owner stops', async () => {
  const projects = 'This process projects';
  const lines = { first: [] as LogLine[], second: [] as LogLine[] };
  const first = world.run([tally()], { log: logTo(lines.first) });
  await until(() => says(lines.first, projects));
  world.run([tally()], { log: logTo(lines.second) });
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 20));
  expect(says(lines.second, projects)).toBe(false);
  await first.stop();
  await until(() => says(lines.second, projects));
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 20));
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
});

test('an owner whose lock connection is cut is replaced, and no event is projected twice', async () => {
  world.run([tally()]);
  world.run([tally()]);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 10));
  for (let round = 0; round < 3; round += 1) {
    await world.postgres.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and database = (
         select oid from pg_database where datname = current_database())`,
    );
    await wait(['tally'], await appendNotes(world.eventStore, 'sample', 10));
  }
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
});

test('a poison event stops its projection before the event, and stops no other projection', async () => {
  const before = await notesInLog();
  const poisonAt = before + 12;
  let seen = 0;
  const lines: LogLine[] = [];
  const fragile = tally({
    name: 'fragile',
    before: async (tx, events) => {
      const [row] = await tx.query<{ n: string }>('select count(*) as n from note');
      seen = Number(row?.n) + events.length;
      if (seen >= poisonAt) throw new Error('the projection cannot take the event');
    },
  });
  const runner = world.run([fragile, tally()], { log: logTo(lines) });
  const position = await appendNotes(world.eventStore, 'sample', 30);
  await wait(['tally'], position);
  expect(await notesIn(world.postgres)).toBe(before + 30);
  const stopped = async () =>
    (await projectionRecords(world.postgres)).find(({ name }) => name === 'fragile')?.poison;
  await until(async () => (await stopped()) !== undefined);
  expect((await stopped())?.number).toBe(11);
  expect(
    lines.filter(({ level }) => level === 'error').map(({ projection }) => projection),
  ).toStrictEqual(['fragile']);
  expect(await notesIn(world.postgres, 'fragile')).toBe(poisonAt - 1);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 5));
  expect(await notesIn(world.postgres, 'fragile')).toBe(poisonAt - 1);

  await runner.stop();
  world.run([tally({ name: 'fragile' }), tally()]);
  await wait(['fragile'], await appendNotes(world.eventStore, 'sample', 1));
  expect(await notesIn(world.postgres, 'fragile')).toBe(await notesInLog());
  expect((await projectionRecords(world.postgres))[0]?.poison).toBeUndefined();
});

test('a projection that fails three times at the same place is stopped with the cause, the others go on, and it is tried again', async () => {
  const lines: LogLine[] = [];
  let isMended = false;
  const whole = tally({ name: 'broken' });
  const broken: Projection = {
    ...whole,
    get tables() {
      return isMended ? whole.tables : 'create table note (missing no_such_type)';
    },
  };
  world.run([tally(), broken], { log: logTo(lines), retryStoppedMs: 300 });
  const stops = () => lines.filter(({ msg }) => msg.includes('failed three times')).length;
  await until(() => stops() > 0);
  // The cause is recorded after the line, and each new try removes it until it has failed.
  const stopped = async () =>
    (await projectionRecords(world.postgres)).find(({ poison }) => poison !== undefined);
  await until(async () => {
    const { name, poison } = (await stopped()) ?? {};
    return name === 'broken' && /^error 42704/.test(poison?.reason ?? '');
  });
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 5));
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
  await until(() => stops() > 2);
  isMended = true;
  await until(async () => (await schemaState(world.postgres, 'broken')) !== undefined);
  await until(async () => (await projectionRecords(world.postgres)).every(({ poison }) => !poison));
  await wait(['tally', 'broken'], await appendNotes(world.eventStore, 'sample', 5));
  expect(await notesIn(world.postgres, 'broken')).toBe(await notesInLog());
});

test('a stopped projection is tried again although its time comes while the leader chooses what it leads', async () => {
  const retryStoppedMs = 300;
  const lines: LogLine[] = [];
  const isStopped = () => says(lines, 'failed three times');
  let isMended = false;
  let hasWaited = false;
  const whole = tally({ name: 'broken' });
  const broken: Projection = {
    ...whole,
    get tables() {
      return isMended ? whole.tables : 'create table note (missing no_such_type)';
    },
  };
  // The leader asks for this name after it has left out the stopped projection.
  const slow: Projection = {
    ...tally(),
    get name() {
      const comes = performance.now() + retryStoppedMs;
      if (isStopped() && !hasWaited) while (performance.now() <= comes) hasWaited = true;
      return 'tally';
    },
  };
  world.run([broken, slow], { log: logTo(lines), retryStoppedMs });
  await until(() => hasWaited);
  isMended = true;
  await wait(['tally', 'broken'], await appendNotes(world.eventStore, 'sample', 5));
  expect(await notesIn(world.postgres, 'broken')).toBe(await notesInLog());
});

test('new tables count as being filled until they show the log up to its end', async () => {
  await appendNotes(world.eventStore, 'sample', 5);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const isFilling = async () => (await projectionRecords(world.postgres))[0]?.isFilling;
  const runner = world.run([tally({ before: () => gate })]);
  await until(async () => (await schemaState(world.postgres, 'tally')) !== undefined);
  expect(await isFilling()).toBe(true);
  open();
  await until(async () => (await isFilling()) === false);
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
  await runner.stop();
  world.run([tally()]);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 1));
  expect(await isFilling()).toBe(false);
});

test('an outage of a server never stops a projection', async () => {
  const away = new AwayPostgres({ url: world.postgresUrl });
  try {
    world.run([tally()], { postgres: away, retryStoppedMs: 60_000 });
    await wait(['tally'], await appendNotes(world.eventStore, 'sample', 5));
    away.isAway = true;
    const position = await appendNotes(world.eventStore, 'sample', 5);
    await until(() => away.refusals > 4);
    away.isAway = false;
    await wait(['tally'], position);
    expect((await projectionRecords(world.postgres))[0]?.poison).toBeUndefined();
  } finally {
    await world.stopRunners();
    await away.close();
  }
});

test('a rebuild gives the same rows, and queries are answered during the rebuild', async () => {
  const lines: LogLine[] = [];
  const rebuilt = (): number => lines.filter(({ msg }) => msg.includes('was rebuilt')).length;
  const runner = world.run([tally()], { log: logTo(lines) });
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 200));
  let counted = 0;
  let querying = true;
  const queries = (async () => {
    for (let last = 0; querying; counted += 1) {
      const now = await notesIn(world.postgres);
      // Each query sees at least as many rows as the query before it.
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  })();
  for (let round = 1; round <= 3; round += 1) {
    expect(await requestRebuild(world.postgres, 'tally')).toBe(true);
    await appendNotes(world.eventStore, 'sample', 50);
    await until(() => rebuilt() === round);
  }
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 1));
  querying = false;
  await queries;
  expect(counted).toBeGreaterThan(0);
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
  const dump = await dumpOf(world.postgres, 'tally');
  await runner.stop();
  await world.postgres.query('drop schema tally cascade');
  world.run([tally()]);
  await until(async () => (await schemaState(world.postgres, 'tally'))?.position !== undefined);
  await until(async () => (await notesIn(world.postgres)) === (await notesInLog()));
  expect(await dumpOf(world.postgres, 'tally')).toStrictEqual(dump);
});

test('a read model with a new version is rebuilt at the start', async () => {
  const first = world.run([tally()]);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 10));
  await first.stop();
  world.run([tally({ version: 2 })]);
  await until(async () => (await schemaState(world.postgres, 'tally'))?.version === 2);
  await wait(['tally'], await appendNotes(world.eventStore, 'sample', 10));
  expect(await notesIn(world.postgres)).toBe(await notesInLog());
});

test('a rebuild that ends before all read models are checked does not disturb the other read models', async () => {
  const models = (version: number) => [tally({ name: 'first', version }), tally({ name: 'last' })];
  const runner = world.run(models(1));
  await wait(['first', 'last'], await appendNotes(world.eventStore, 'sample', 5));
  await runner.stop();
  await appendNotes(world.eventStore, 'sample', 1_000);
  const slow = new SlowPostgres({ url: world.postgresUrl }, 'last');
  const lines: LogLine[] = [];
  try {
    const second = world.run(models(2), { postgres: slow, log: logTo(lines) });
    for (let appends = 0; appends < 200; appends += 1) {
      await appendNotes(world.eventStore, 'sample', 1);
      await delay(3);
    }
    await wait(['first', 'last'], await appendNotes(world.eventStore, 'sample', 5));
    await until(() => says(lines, 'was rebuilt'));
    expect(lines.filter(({ level }) => level !== 'info')).toStrictEqual([]);
    expect(await notesIn(world.postgres, 'first')).toBe(await notesInLog());
    expect(await notesIn(world.postgres, 'last')).toBe(await notesInLog());
    await second.stop();
  } finally {
    await slow.close();
  }
});

test('a transaction is committed completely or not at all, whichever part fails first', async () => {
  await world.postgres.query('create table made (by_whom text)');
  const insert = 'insert into made values ($1)';
  const made = async () =>
    (await world.postgres.query<{ by_whom: string }>('select * from made')).length;
  const ended = world.postgres.transaction(async (tx) => {
    await tx.query(insert, ['whoever goes on after a failure']);
    await tx.query('select 1/0').catch(() => undefined);
  });
  await expect(ended).rejects.toThrow(/rolled back/);
  await expect(
    world.postgres.transaction((tx) => tx.query(insert, ['a faulty setting']), ['jit = maybe']),
  ).rejects.toMatchObject({ code: '22023' });
  expect(await made()).toBe(0);
  await world.postgres.transaction((tx) => tx.query(insert, ['a good one']), ['jit = off']);
  expect(await made()).toBe(1);
});

test('checkpoints are moved by an index scan of their key', async () => {
  await createSchema(world.postgres, tally(), 'tally');
  let plan = '';
  await world.postgres.transaction(
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
  expect(plan).toMatch(/Index Scan using checkpoint_pkey/);
  expect(plan).not.toMatch(/Disabled/);
});

test('a process without a runner waits for positions, and answers PROJECTION_LAG if they are not reached', async () => {
  world.run([tally()]);
  const otherWatch = new PositionWatch(world.postgres);
  try {
    const position = await appendNotes(world.eventStore, 'sample', 3);
    await otherWatch.waitFor(['tally'], position, 20_000);
    await expect(otherWatch.waitFor(['tally'], position + 1_000_000n, 100)).rejects.toMatchObject({
      name: 'Refusal',
      code: 'PROJECTION_LAG',
    });
  } finally {
    await otherWatch.close();
  }
});
