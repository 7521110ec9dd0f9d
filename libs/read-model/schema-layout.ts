import { readFileSync } from 'node:fs';
import { API_ROLE, grantManagement, grantRead, prepareRole } from './api-role.js';
import type { Checkpoint, CheckpointEvent } from './checkpoint.js';
import { makeTables } from './own-tables.js';
import type { Postgres, PostgresTransaction } from './postgres.js';
import { isPassing } from './postgres-unavailable.js';
import type { Projection, ProjectionTransaction } from './projection.js';
import type { DifferentRows } from './different-rows.js';

/**
 * The channel that reports every commit to waiting processes, as `{"<name>": "<position>"}`, or with
 * `null` if the read model was emptied.
 */
export const NOTIFY_CHANNEL = 'mace_read_models';

const managementSql = readFileSync(new URL('./management.sql', import.meta.url), 'utf8');
const NAME_PATTERN = /^[a-z_]+$/;

/** Returns the live schema of a read model. It has the read model's name, which queries use. */
export const liveSchema = (name: string): string => name;
/** Returns the schema that a rebuild fills and then renames to the live one. */
export const nextSchema = (name: string): string => `${name}__next`;
const retiredSchema = (name: string): string => `${name}__retired`;

interface SchemaState {
  readonly version: number;
  readonly position: bigint | undefined;
}

/** Migrates the tables that all read models share, and adds a row for each of these read models. */
export async function migrateManagement(
  postgres: Postgres,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    if (!NAME_PATTERN.test(name))
      throw new TypeError(`${name} is not a valid name of a read model`);
  }
  await prepareRole(postgres, API_ROLE);
  await makeTables(postgres, 'read_models', managementSql, async (tx) => {
    await grantManagement(tx);
    await tx.query(
      'insert into read_models.projection (name) select unnest($1::text[]) on conflict do nothing',
      [names],
    );
  });
}

/** Migrates the schemas of these read models. Only their leader may call it. */
export async function migrateSchemas(postgres: Postgres, names: readonly string[]): Promise<void> {
  await postgres.transaction(async (tx) => {
    for (const name of names) if (await exists(tx, name)) await grantRead(tx, name);
    for (const schema of names.flatMap((name) => [liveSchema(name), nextSchema(name)])) {
      await addEventColumns(tx, schema);
      await startAtEvent(tx, schema);
    }
  });
}

const EVENT_COLUMNS = [
  'event_position bigint',
  'event_stream text',
  'event_number bigint',
  'event_hash text',
];

/** Adds the columns of the checkpoint's event, which the tables of earlier releases do not have. */
async function addEventColumns(tx: ProjectionTransaction, schema: string): Promise<void> {
  const columns = EVENT_COLUMNS.map((column) => `add column if not exists ${column}`).join(', ');
  await tx.query(`alter table if exists ${schema}.checkpoint ${columns}`);
}

/**
 * Sets a checkpoint's position to that of its event, which the log can confirm. The position alone may be later, after
 * `$` events; after a change by another program it may be anything, and events would be left out.
 */
async function startAtEvent(tx: ProjectionTransaction, schema: string): Promise<void> {
  if ((await schemaState(tx, schema)) === undefined) return;
  await tx.query(
    `update ${schema}.checkpoint set position = event_position where event_position <> position`,
  );
}

/** Returns a schema's checkpoint; undefined if the schema does not exist or shows no event yet. */
export async function checkpointOf(
  postgres: Postgres,
  schema: string,
): Promise<Checkpoint | undefined> {
  const position = (await schemaState(postgres, schema))?.position;
  if (position === undefined) return undefined;
  const [row] = await postgres.query<{
    event_position: string | null;
    event_stream: string;
    event_number: string;
    event_hash: string;
  }>(`select event_position, event_stream, event_number, event_hash from ${schema}.checkpoint`);
  const at = positionOf(row?.event_position ?? null);
  if (row === undefined || at === undefined) return { position, event: undefined };
  const { event_stream: stream, event_number: number, event_hash: hash } = row;
  return { position, event: { position: at, stream, number: Number(number), hash } };
}

/** Returns a schema's version and checkpoint; undefined if the schema does not exist. */
export async function schemaState(
  postgres: Pick<Postgres, 'query'>,
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
  await postgres.transaction((tx) => createTables(tx, projection, schema));
}

async function createTables(
  tx: PostgresTransaction,
  projection: Projection,
  schema: string,
): Promise<void> {
  await tx.query(`drop schema if exists ${schema} cascade`);
  await tx.query(`create schema ${schema}`);
  await tx.within(schema, async (tables) => {
    await tables.query(`create table checkpoint (
      only_row boolean primary key default true check (only_row),
      version int not null,
      position bigint,
      ${EVENT_COLUMNS.join(', ')}
    )`);
    await tables.query('insert into checkpoint (version) values ($1)', [projection.version]);
    await tables.query(projection.tables);
  });
  await grantRead(tx, schema);
}

/**
 * Empties these read models in one transaction, so that no process can read rows of another log, and records why, and
 * from which log they are filled. Waiting processes are notified that the read models show no position any more.
 */
export async function emptySchemas(
  postgres: Postgres,
  projections: readonly Projection[],
  { finding, logId }: { readonly finding: string; readonly logId: string | undefined },
): Promise<void> {
  const names = projections.map(({ name }) => name);
  await postgres.transaction(async (tx) => {
    for (const projection of projections) {
      const { name } = projection;
      await tx.query(`drop schema if exists ${retiredSchema(name)} cascade`);
      await tx.query(`drop schema if exists ${nextSchema(name)} cascade`);
      await createTables(tx, projection, liveSchema(name));
    }
    await tx.query(
      `update read_models.projection set rebuild_requested = false, another_log = $2, log_id = $3
       where name = any($1)`,
      [names, finding, logId ?? null],
    );
    const positions = Object.fromEntries(names.map((name) => [name, null]));
    await tx.query(`select pg_notify('${NOTIFY_CHANNEL}', $1)`, [JSON.stringify(positions)]);
  });
}

export const dropSchema = async (postgres: Postgres, schema: string): Promise<void> => {
  await postgres.query(`drop schema if exists ${schema} cascade`);
};

/**
 * Gives the rebuilt schema the live name, in one transaction; running queries finish on the old tables.
 * The transaction also deletes the old checkpoint, so that a stalled leader cannot move that checkpoint
 * and write to the new tables. A leader that was stalled itself, while the next leader went on to fill the
 * rebuilt schema, fails with `OwnershipLost`. @param differences undefined if the live rows were not compared, because
 * they stopped at another position; the last comparison then stays what it is
 */
export async function swapSchemas(
  postgres: Postgres,
  { projection: { name }, position }: Pick<Filling, 'projection' | 'position'>,
  differences?: readonly DifferentRows[],
): Promise<void> {
  await postgres.transaction(async (tx) => {
    const rebuilt = await tx.query(
      `select from ${nextSchema(name)}.checkpoint where position is not distinct from $1 for update`,
      [position ?? null],
    );
    if (rebuilt.length === 0) throw new OwnershipLost('another process fills the rebuilt tables');
    await tx.query(`drop schema if exists ${retiredSchema(name)} cascade`);
    if (await exists(tx, liveSchema(name))) {
      await tx.query(`delete from ${liveSchema(name)}.checkpoint`);
      await tx.query(`alter schema ${liveSchema(name)} rename to ${retiredSchema(name)}`);
    }
    await tx.query(`alter schema ${nextSchema(name)} rename to ${liveSchema(name)}`);
    await tx.query(
      `update read_models.projection set rebuild_requested = false, stopped_position = null,
         stopped_stream = null, stopped_number = null, stopped_type = null, stopped_reason = null,
         compared_at = case when $2::jsonb is null then coalesce(compared_at, now()) else now() end,
         differences = coalesce($2::jsonb, differences)
       where name = $1`,
      [name, differences === undefined ? null : JSON.stringify(differences)],
    );
  });
}

/**
 * Drops the schema that a swap has replaced. Returns false if a read still uses it. The drop waits 200
 * ms at most, and the caller tries again later, because a longer wait would block new reads.
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

/** Thrown if this leader's checkpoints are out of date, because another process has projected meanwhile. */
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
 * Moves the checkpoints of all given schemas to `position`, each only if it is still where this leader
 * last saw it, and notifies waiting processes about the live ones. It takes one round trip. Schema names
 * come from our code and need no escaping. Without an `event`, the schemas keep the event that they have.
 */
export async function moveCheckpoints(
  tx: ProjectionTransaction,
  fillings: readonly Filling[],
  position: bigint,
  event?: CheckpointEvent,
): Promise<void> {
  const moves = fillings.map(
    ({ schema }, index) =>
      `m${index} as (update ${schema}.checkpoint set position = $1,
           event_position = coalesce($3, event_position), event_stream = coalesce($4, event_stream),
           event_number = coalesce($5, event_number), event_hash = coalesce($6, event_hash)
         where only_row and position is not distinct from $${index + 7} returning 1)`,
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
      ...[event?.position ?? null, event?.stream ?? null],
      ...[event?.number ?? null, event?.hash ?? null],
      ...fillings.map(({ position: from }) => from ?? null),
    ],
  );
  if (Number(row?.moved) !== fillings.length) {
    throw new OwnershipLost('a checkpoint has moved: another process projects');
  }
}
