import { readFileSync } from 'node:fs';
import { grantManagement, grantRead, prepareApiRole } from './api-role.js';
import type { Postgres } from './postgres.js';
import { isPassing } from './postgres-unavailable.js';
import type { Projection, ProjectionTransaction } from './projection.js';

/** The channel that reports every commit to waiting processes, as `{"<name>": "<position>"}`. */
export const NOTIFY_CHANNEL = 'mace_read_models';

const managementSql = readFileSync(new URL('./management.sql', import.meta.url), 'utf8');
const NAME_PATTERN = /^[a-z_]+$/;

/** The live schema has the read model's name, which queries use. */
export const liveSchema = (name: string): string => name;
/** The schema that a rebuild fills before it is renamed to the live one. */
export const nextSchema = (name: string): string => `${name}__next`;
const retiredSchema = (name: string): string => `${name}__retired`;

interface SchemaState {
  readonly version: number;
  readonly position: bigint | undefined;
}

/** Migrates the tables that all read models share. Runs under the leader's advisory lock. */
export async function migrate(postgres: Postgres, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!NAME_PATTERN.test(name))
      throw new TypeError(`${name} is not a valid name of a read model`);
  }
  await prepareApiRole(postgres);
  await postgres.transaction(async (tx) => {
    await tx.query(managementSql);
    await grantManagement(tx);
    for (const name of names) if (await exists(tx, name)) await grantRead(tx, name);
    await tx.query(
      'insert into read_models.projection (name) select unnest($1::text[]) on conflict do nothing',
      [names],
    );
  });
}

/** Returns a schema's version and checkpoint; undefined if the schema does not exist. */
export async function schemaState(
  postgres: Postgres,
  schema: string,
): Promise<SchemaState | undefined> {
  const [found] = await postgres.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [`${schema}.checkpoint`],
  );
  if (!found?.exists) return undefined;
  const [row] = await postgres.query<{ version: number; position: string | null }>(
    `select version, position from ${schema}.checkpoint`,
  );
  return row && { version: row.version, position: positionOf(row.position) };
}

export const positionOf = (text: string | null): bigint | undefined =>
  text === null ? undefined : BigInt(text);

/** Creates a read model's tables in an empty schema, with a checkpoint before the log's first event. */
export async function createSchema(
  postgres: Postgres,
  projection: Projection,
  schema: string,
): Promise<void> {
  await postgres.transaction(async (tx) => {
    await tx.query(`drop schema if exists ${schema} cascade`);
    await tx.query(`create schema ${schema}`);
    await tx.query(`set local search_path to ${schema}`);
    await tx.query(`create table checkpoint (
      only_row boolean primary key default true check (only_row),
      version int not null,
      position bigint
    )`);
    await tx.query('insert into checkpoint (version) values ($1)', [projection.version]);
    await tx.query(projection.tables);
    await grantRead(tx, schema);
  });
}

export const dropSchema = async (postgres: Postgres, schema: string): Promise<void> => {
  await postgres.query(`drop schema if exists ${schema} cascade`);
};

/**
 * Renames the rebuilt schema to the live one in one transaction; running queries finish on the old tables.
 * The old checkpoint is deleted, so that a stalled leader that wakes up cannot move it and write to the new
 * tables.
 */
export async function swapSchemas(postgres: Postgres, name: string): Promise<void> {
  await postgres.transaction(async (tx) => {
    await tx.query(`drop schema if exists ${retiredSchema(name)} cascade`);
    if (await exists(tx, liveSchema(name))) {
      await tx.query(`delete from ${liveSchema(name)}.checkpoint`);
      await tx.query(`alter schema ${liveSchema(name)} rename to ${retiredSchema(name)}`);
    }
    await tx.query(`alter schema ${nextSchema(name)} rename to ${liveSchema(name)}`);
    await tx.query(
      `update read_models.projection set rebuild_requested = false, stopped_position = null,
         stopped_stream = null, stopped_number = null, stopped_type = null, stopped_reason = null
       where name = $1`,
      [name],
    );
  });
}

/**
 * Drops the schema that a swap retired; returns false if a read still uses it. The drop waits 200 ms at most
 * and the caller retries it later, because a longer wait would block new reads.
 */
export async function dropRetired(postgres: Postgres, name: string): Promise<boolean> {
  try {
    await postgres.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '200ms'`);
      await tx.query(`drop schema if exists ${retiredSchema(name)} cascade`);
    });
    return true;
  } catch (cause) {
    if (isPassing(cause)) return false;
    throw cause;
  }
}

const exists = async (tx: ProjectionTransaction, schema: string): Promise<boolean> =>
  (await tx.query('select 1 from pg_namespace where nspname = $1', [schema])).length > 0;

/** This leader's checkpoints are out of date, because another process has projected meanwhile. */
export class OwnershipLost extends Error {
  override readonly name = 'OwnershipLost';
}

/** A schema that is being filled, with its progress. */
export interface Filling {
  readonly projection: Projection;
  readonly schema: string;
  readonly position: bigint | undefined;
}

/**
 * Moves the checkpoints of all given schemas to `position`, each only from the position that this leader last
 * saw, and notifies waiting processes about the live ones. One round trip. Schema names come from our code
 * and need no escaping.
 */
export async function moveCheckpoints(
  tx: ProjectionTransaction,
  fillings: readonly Filling[],
  position: bigint,
): Promise<void> {
  const moves = fillings.map(
    ({ schema }, index) =>
      `m${index} as (update ${schema}.checkpoint set position = $1
         where only_row and position is not distinct from $${index + 3} returning 1)`,
  );
  const announced = fillings
    .filter(({ projection, schema }) => schema === liveSchema(projection.name))
    .map(({ projection }) => [projection.name, position.toString()] as const);
  const counts = fillings.map((_, index) => `(select count(*) from m${index})`).join(' + ');
  const [row] = await tx.query<{ moved: string }>(
    `with ${moves.join(',\n')} select ${counts} as moved, pg_notify('${NOTIFY_CHANNEL}', $2)`,
    [
      position,
      JSON.stringify(Object.fromEntries(announced)),
      ...fillings.map(({ position: from }) => from ?? null),
    ],
  );
  if (Number(row?.moved) !== fillings.length) {
    throw new OwnershipLost('a checkpoint has moved: another process projects');
  }
}
