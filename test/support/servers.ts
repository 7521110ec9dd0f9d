import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { freePort } from '#embedded/free-port.js';
import { prepareCluster, startServer, urlOf } from '#embedded/postgres/cluster.js';
import { Killable } from './killable.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * A server for a test. The server stops and its data is removed at the latest when the test process
 * ends.
 */
export interface TestServer {
  readonly url: string;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
  /** Starts again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** An event store whose quota a test can set. */
export interface TestEventStore extends TestServer {
  /** Sets the quota in bytes, which applies from the next start; undefined removes the quota. */
  limit(quotaBytes: number | undefined): void;
}

/** Starts an embedded node for one test file, or returns the server that MACE_EVENTSTORE_URL names. */
export async function startTestEventStore(): Promise<TestEventStore> {
  const given = process.env['MACE_EVENTSTORE_URL'];
  if (given) {
    const limit = (): void => {
      throw new Error('The quota of an external event store cannot be set');
    };
    return { ...foreign(given, async () => undefined), limit };
  }
  let quota: number | undefined;
  const folder = temporaryFolder('event-store');
  const start = (port: number) => startEventStoreChild(folder.path, port, discardLog, quota);
  const server = await Killable.start(
    () => start(0),
    (first) => () => start(first.port),
  );
  return {
    url: server.running.url,
    kill: () => server.kill(),
    restart: () => server.restart(),
    limit: (quotaBytes) => {
      quota = quotaBytes;
    },
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

/**
 * Creates a database for one test file, in the Postgres that MACE_POSTGRES_URL names, or else in the
 * Postgres of the test run (MACE_TEST_POSTGRES_URL). With `own`, or if neither variable is set, starts a
 * separate Postgres, which the test may kill.
 */
export async function startTestPostgres({ own = false } = {}): Promise<TestServer> {
  const shared = process.env['MACE_POSTGRES_URL'] ?? process.env['MACE_TEST_POSTGRES_URL'];
  if (!own && shared) return databaseIn(shared);
  const folder = temporaryFolder('postgres');
  const cluster = await prepareCluster(folder.path);
  const port = await freePort();
  const start = () => startServer(cluster, port, discardLog);
  const server = await Killable.start(start, () => start);
  return {
    url: urlOf(cluster, port),
    kill: () => server.kill(),
    restart: () => server.restart(),
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

async function databaseIn(server: string): Promise<TestServer> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return foreign(url.href, () =>
    administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  );
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const discardLog = (): void => undefined;

/** Makes a handle to a server that this test did not start and must not kill. */
function foreign(url: string, stop: () => Promise<void>): TestServer {
  const refuse = async (): Promise<void> => {
    throw new Error('This server is shared; a test that kills a server must start its own');
  };
  return { url, kill: refuse, restart: refuse, stop };
}
