import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, EventToAppend, LoggedEvent } from '#event-store/event-store.js';
import { openLogger } from '#platform/start/logger.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner, type RunnerOptions } from '#read-model/projection-runner.js';
import type { Projection, ProjectionTransaction } from '#read-model/projection.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';

/** The event store of a suite, and a database of its own for each test. */
export class ReadModelWorld {
  eventStore!: EventStore;
  postgres!: Postgres;
  postgresUrl!: string;
  watch!: PositionWatch;
  /** The runners that stop at the end of the test. */
  readonly runners: ProjectionRunner[] = [];

  constructor(startEventStore: () => Promise<TestServer>) {
    let eventStoreServer: TestServer;
    let postgresServer: TestServer;
    beforeAll(async () => {
      eventStoreServer = await startEventStore();
      this.eventStore = connectEventStore(eventStoreServer.url);
    });
    beforeEach(async () => {
      postgresServer = await startEmptyPostgres();
      this.postgresUrl = postgresServer.url;
      this.postgres = new Postgres({ url: this.postgresUrl });
      this.watch = new PositionWatch(this.postgres);
    });
    afterEach(async () => {
      await this.stopRunners();
      await this.watch.close();
      await this.postgres.close();
      await postgresServer.stop();
    });
    afterAll(async () => {
      await this.eventStore.close();
      await eventStoreServer.stop();
    });
  }

  /** Starts a runner in place of a process. */
  run(projections: readonly Projection[], more: Partial<RunnerOptions> = {}): ProjectionRunner {
    const { eventStore, postgres, watch } = this;
    const log = openLogger('silent');
    const runner = new ProjectionRunner({ eventStore, postgres, projections, watch, log, ...more });
    this.runners.push(runner);
    runner.start();
    return runner;
  }

  async stopRunners(): Promise<void> {
    await Promise.all(this.runners.splice(0).map((runner) => runner.stop()));
  }
}

/** Returns a logger that appends its parsed lines to `lines`. */
export const logTo = <Line>(lines: Line[]) =>
  openLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Line) });

/** Makes metadata with fixed values, except for a new event_id and the given time. */
export const metadataOf = (recordedAt = '2026-01-01T00:00:00.000Z'): EventMetadata => ({
  event_id: randomUUID(),
  seeded_ts: recordedAt,
  recorded_at: recordedAt,
  schema_version: 1,
  kind: 'input',
  command_id: 'test',
  command_index: 0,
  body_hash: '',
  actor: 'tester',
  trace_id: 'trace',
  hash: '',
});

/** Makes the events of a new stream, with their hash chain. */
function newEvents(
  stream: string,
  events: readonly { type: string; data: JsonObject }[],
): EventToAppend[] {
  let hash = CHAIN_START;
  return events.map(({ type, data }, number) => {
    const { hash: _, ...metadata } = metadataOf();
    hash = chainHash(hash, { stream, number, type, data, metadata });
    return { id: randomUUID(), type, data, metadata: { ...metadata, hash } };
  });
}

/** Appends the events to a new stream; returns the position of the last one. */
export async function append(
  eventStore: EventStore,
  stream: string,
  events: readonly { type: string; data: JsonObject }[],
): Promise<bigint> {
  const { position } = await eventStore.append(stream, 'no_stream', newEvents(stream, events));
  return position;
}

/** Appends `count` events to a new stream of the category; returns the position of the last event. */
export const appendNotes = (
  eventStore: EventStore,
  category: string,
  count: number,
): Promise<bigint> =>
  append(
    eventStore,
    `${category}-${randomUUID()}`,
    Array.from({ length: count }, (_, index) => ({ type: 'noted', data: { index } })),
  );

/** Makes a logged event whose position is its number plus one. */
export const eventAt = (number: number, stream = 'sample-a'): LoggedEvent => ({
  id: `event-${number}`,
  stream,
  number,
  type: 'noted',
  data: {},
  metadata: metadataOf(),
  position: BigInt(number + 1),
});

export interface TallyOptions {
  readonly name?: string;
  readonly version?: number;
  /** Called before the rows are written. */
  readonly before?: (tx: ProjectionTransaction, events: readonly LoggedEvent[]) => Promise<void>;
}

/**
 * A read model with one row per event of category `note`. If an event is projected twice, the second row
 * violates the primary key of the table.
 */
export const tally = ({ name = 'tally', version = 1, before }: TallyOptions = {}): Projection => ({
  name,
  version,
  tables: `create table note (ordinal bigint primary key, stream text not null, number int not null,
    unique (stream, number))`,
  categories: ['sample'],
  async project(tx, events) {
    await before?.(tx, events);
    const [last] = await tx.query<{ n: string }>('select coalesce(max(ordinal), 0) as n from note');
    const first = Number(last?.n) + 1;
    const rows = events.map(({ stream, number }, index) => ({
      ordinal: first + index,
      stream,
      number,
    }));
    await tx.query(
      `insert into note select * from json_to_recordset($1::json)
         as row (ordinal bigint, stream text, number int)`,
      [JSON.stringify(rows)],
    );
  },
});

export const notesIn = async (postgres: Postgres, schema = 'tally'): Promise<number> => {
  const [row] = await postgres.query<{ n: string }>(`select count(*) as n from ${schema}.note`);
  return Number(row?.n);
};

/** Returns all rows of all tables of a read model as text, without the checkpoint. */
export async function dumpOf(postgres: Postgres, schema: string): Promise<Map<string, string[]>> {
  const tables = await postgres.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_name <> 'checkpoint' order by 1`,
    [schema],
  );
  const dump = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await postgres.query<{ row: string }>(
      `select one::text as row from ${schema}.${name} as one order by one::text collate "C"`,
    );
    dump.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return dump;
}

/** Polls until the condition is true, or until the timeout of the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}
