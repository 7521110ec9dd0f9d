import pg from 'pg';
import { Postgres } from '#read-model/postgres.js';
import { recordFilling } from '#read-model/projection-records.js';
import { createSchema, liveSchema, migrateManagement } from '#read-model/schema-layout.js';
import { administer, serverOfThisRun } from './postgres-of-run.js';

// The number is arbitrary. The workers of a run take this lock in turn.
const LOCK_KEY = 4_171_904_337;

const nameInThisRun = (): string => `test_template_${process.env['MACE_TEST_RUN']}`;

let made: Promise<string> | undefined;

/**
 * Returns the name of a database with the product's read models, which no event has reached. The first
 * worker that asks makes it: a service takes most of its start to make these tables.
 */
export const templateDatabase = (server: string): Promise<string> => (made ??= makeOnce(server));

async function makeOnce(server: string): Promise<string> {
  const name = nameInThisRun();
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await client.query(`create database ${name}`);
      await makeTables(server, name);
    }
    return name;
  } finally {
    await client.end();
  }
}

async function makeTables(server: string, name: string): Promise<void> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const postgres = new Postgres({ url: url.href });
  const { productProjections } = await import('./product-projections.js');
  const projections = await productProjections();
  await migrateManagement(
    postgres,
    projections.map((projection) => projection.name),
  );
  for (const projection of projections) {
    await recordFilling(postgres, projection.name);
    await createSchema(postgres, projection, liveSchema(projection.name));
  }
  await postgres.close();
}

/** Removes the run's template database, if a worker has made one. */
export async function dropTemplate(): Promise<void> {
  const server = serverOfThisRun();
  if (server) await administer(server, `DROP DATABASE IF EXISTS ${nameInThisRun()}`);
}
