import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startOwnEventStore, startOwnPostgres, type TestServer } from './servers.js';

let started: TestServer[] = [];

/**
 * Starts the Postgres and the event stores of a test run, one for each worker, unless servers are given.
 * If MACE_TEST_EVENTSTORE_DIR is set, the logs stay there, and the next run goes on with them.
 */
export async function startSharedServers(workers: number): Promise<void> {
  const { env } = process;
  if (!env['MACE_POSTGRES_URL'] && !env['MACE_TEST_POSTGRES_URL']) {
    const postgres = await startOwnPostgres();
    started.push(postgres);
    await doNotSync(postgres);
    env['MACE_TEST_POSTGRES_URL'] = postgres.url;
  }
  if (!env['MACE_EVENTSTORE_URL'] && !env['MACE_TEST_EVENTSTORE_URLS']) {
    const stores = await Promise.all(
      Array.from({ length: workers }, (_, at) => eventStore(at + 1)),
    );
    started.push(...stores);
    env['MACE_TEST_EVENTSTORE_URLS'] = stores.map(({ url }) => url).join(' ');
  }
}

/** The shared Postgres is never killed, so it need not wait for the disk. Tests that kill one start their own. */
async function doNotSync({ url }: TestServer): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

function eventStore(worker: number): Promise<TestServer> {
  const parent = process.env['MACE_TEST_EVENTSTORE_DIR'];
  if (!parent) return startOwnEventStore();
  const path = join(parent, String(worker));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return startOwnEventStore({ path, remove: () => undefined });
}

export async function stopSharedServers(): Promise<void> {
  await Promise.all(started.map((server) => server.stop()));
  started = [];
  delete process.env['MACE_TEST_POSTGRES_URL'];
  delete process.env['MACE_TEST_EVENTSTORE_URLS'];
}
