import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
