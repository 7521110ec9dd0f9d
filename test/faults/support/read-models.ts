import { expect } from 'expect';
import { randomBytes } from 'node:crypto';
import type { EventStore } from '#event-store/event-store.js';
import { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { schemaState } from '#read-model/schema-layout.js';
import { until } from './until.js';
import { openLogger } from '#platform/start/logger.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';

const READ_MODELS = await productProjections();
const NAMES = READ_MODELS.map(({ name }) => name);

/** Returns one message for each read model that has not reached `position`. */
async function behind(rows: Postgres, position: bigint): Promise<string[]> {
  const states = await Promise.all(
    NAMES.map(async (name) => [name, await schemaState(rows, name)] as const),
  );
  return states.flatMap(([name, state]) =>
    state?.position !== undefined && state.position >= position
      ? []
      : [`${name} is at ${String(state?.position)} of ${position}`],
  );
}

/**
 * Returns one message for each open obligation, except the obligations to expire an action request,
 * which become due only after a week.
 */
async function due(rows: Postgres): Promise<string[]> {
  const open = await rows.query<{ kind: string; stream: string }>(
    `select kind, stream from obligations.obligation
     where due_at <> 'infinity' and kind <> 'expire_request'
     union all
     select 'report_request', job_request.stream from obligations.job_request
     join reflective_logs.reflective_log_stage0 using (log_id)
     where listed_number < last_number`,
  );
  return open.map(({ kind, stream }) => `${kind} of ${stream} is due`);
}

/** Resolves when every event is projected and the process managers have no work left. */
export async function settled(log: EventStore, rows: Postgres): Promise<void> {
  await until('the read models and the process managers come to rest', async () => {
    const end = (await log.lastPosition()) ?? 0n;
    const rest = [...(await behind(rows, end)), ...(await due(rows))];
    expect(rest).toStrictEqual([]);
    return (await log.lastPosition()) === end;
  });
}

/** Returns every row of every table as text, without the checkpoints. */
async function rowsOf(postgres: Postgres): Promise<Record<string, readonly string[]>> {
  const tables = await postgres.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema = any($1::text[]) and table_name <> 'checkpoint' order by 1, 2`,
    [NAMES],
  );
  const all: Record<string, readonly string[]> = {};
  for (const { schema, name } of tables) {
    const rows = await postgres.query<{ row: string }>(
      `select one::text as row from ${schema}.${name} as one`,
    );
    all[`${schema}.${name}`] = rows.map(({ row }) => row).sort();
  }
  return all;
}

/** Projects the whole log into a new database and returns its rows. */
async function rowsOfFold(
  log: EventStore,
  serverUrl: string,
): Promise<Record<string, readonly string[]>> {
  const name = `fold_${randomBytes(6).toString('hex')}`;
  const server = new Postgres({ url: serverUrl, maxConnections: 1 });
  await server.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const postgres = new Postgres({ url: url.href, macs: TEST_MACS, maxConnections: 3 });
  const runner = new ProjectionRunner({
    ...{ eventStore: log, postgres, projections: READ_MODELS, log: openLogger('silent') },
  });
  runner.start();
  try {
    const end = (await log.lastPosition()) ?? 0n;
    await until('the log is folded anew', async () => {
      expect(await behind(postgres, end)).toStrictEqual([]);
      return true;
    });
    return await rowsOf(postgres);
  } finally {
    await runner.stop();
    await postgres.close();
    await server.query(`drop database ${name} with (force)`);
    await server.close();
  }
}

/**
 * Asserts that projecting the whole log into a new database gives the same rows in every read model
 * (SPEC I1).
 */
export async function assertRowsAreTheFold(
  log: EventStore,
  rows: Postgres,
  serverUrl: string,
): Promise<void> {
  await settled(log, rows);
  const expected = await rowsOfFold(log, serverUrl);
  const actual = await rowsOf(rows);
  expect(Object.keys(actual)).toStrictEqual(Object.keys(expected));
  for (const [table, fold] of Object.entries(expected)) {
    const differing = actual[table]?.filter((row, index) => row !== fold[index]) ?? [];
    expect([`${table} has as many rows as its fold`, actual[table]?.length]).toStrictEqual([
      `${table} has as many rows as its fold`,
      fold.length,
    ]);
    expect([
      `${table} holds rows that the log does not fold to`,
      differing.slice(0, 3),
    ]).toStrictEqual([`${table} holds rows that the log does not fold to`, []]);
  }
}
