import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCluster } from '#embedded/postgres/cluster.js';
import { administer } from './postgres-of-run.js';
import { startOwnEventStore, startOwnPostgres, type TestServer } from './servers.js';
import { dropTemplate } from './template-database.js';
import { temporaryFolder } from './temporary-folder.js';

const VARIABLES = [
  'MACE_TEST_RUN',
  'MACE_TEST_CLUSTER',
  'MACE_TEST_POSTGRES_URL',
  'MACE_TEST_EVENTSTORE_URLS',
] as const;

let stops: (() => Promise<void>)[] = [];

/**
 * Starts the Postgres and the event stores of a test run, one for each worker, unless servers are given.
 * If MACE_TEST_EVENTSTORE_DIR is set, the logs stay there, and the next run goes on with them.
 */
export async function startSharedServers(workers: number): Promise<void> {
  const { env } = process;
  env['MACE_TEST_RUN'] = randomBytes(4).toString('hex');
  await makeCluster();
  if (!env['MACE_POSTGRES_URL']) {
    const postgres = await startOwnPostgres();
    stops.push(() => postgres.stop());
    await doNotSync(postgres);
    env['MACE_TEST_POSTGRES_URL'] = postgres.url;
  }
  if (!env['MACE_EVENTSTORE_URL']) {
    const stores = await Promise.all(
      Array.from({ length: workers }, (_, at) => eventStore(at + 1)),
    );
    stops.push(...stores.map((store) => () => store.stop()));
    env['MACE_TEST_EVENTSTORE_URLS'] = stores.map(({ url }) => url).join(' ');
  }
}

/** Makes the cluster that each Postgres of the run begins with (`copyCluster`). */
async function makeCluster(): Promise<void> {
  const folder = temporaryFolder('cluster');
  stops.push(async () => folder.remove());
  await prepareCluster(folder.path);
  process.env['MACE_TEST_CLUSTER'] = folder.path;
}

/** The shared Postgres is never killed, so it need not wait for the disk. Tests that kill one start their own. */
async function doNotSync({ url }: TestServer): Promise<void> {
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'];
  for (const setting of settings) await administer(url, `alter system set ${setting} = off`);
  await administer(url, 'select pg_reload_conf()');
}

function eventStore(worker: number): Promise<TestServer> {
  const parent = process.env['MACE_TEST_EVENTSTORE_DIR'];
  if (!parent) return startOwnEventStore();
  const path = join(parent, String(worker));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return startOwnEventStore({ path, remove: () => undefined });
}

export async function stopSharedServers(): Promise<void> {
  await dropTemplate();
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  for (const name of VARIABLES) delete process.env[name];
}
