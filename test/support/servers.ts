import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startEventStoreChild } from '#embedded/event-store-child.js';
import { freePort } from '#embedded/supervisor.js';
import { prepareCluster, startServer, urlOf } from '#embedded/postgres/cluster.js';
import { Killable } from './killable.js';
import { loadedOnce } from './loaded-once.js';
import { administer, serverOfThisRun } from './postgres-of-run.js';
import { temporaryFolder } from './temporary-folder.js';

/** A server for a test. Unless it is shared, it stops and its data is removed when the test process ends. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that no other test uses, so that a test may kill it. */
export interface OwnServer extends TestServer {
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
  /** Starts again on the same data and port. */
  restart(): Promise<void>;
}

/** An event store that no other test uses. Its log holds nothing but what the test wrote. */
export interface OwnEventStore extends OwnServer {
  /** Sets the quota in bytes, which applies from the next start; undefined removes the quota. */
  limit(quotaBytes: number | undefined): void;
}

/**
 * Returns an event store that other test files have written to: the one that MACE_EVENTSTORE_URL names, or
 * else one of the test run's (MACE_TEST_EVENTSTORE_URLS). A test takes names of its own (`named`) and
 * asserts only on what it made. A test that needs a log of its own calls `startOwnEventStore`.
 */
export async function startTestEventStore(): Promise<TestServer> {
  const url = process.env['MACE_EVENTSTORE_URL'] ?? eventStoreOfThisWorker();
  return url ? { url, stop: async () => undefined } : startOwnEventStore();
}

/** Each worker of a test run has its own event store, so no two files use one at the same time. */
function eventStoreOfThisWorker(): string | undefined {
  const urls = process.env['MACE_TEST_EVENTSTORE_URLS']?.split(' ') ?? [];
  return urls[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
}

/**
 * Starts an embedded node for one test file, whatever servers are given. For tests that kill the server,
 * set a quota, forge events, read the whole log, or use names that a specification fixes.
 */
export async function startOwnEventStore(
  folder = temporaryFolder('event-store'),
): Promise<OwnEventStore> {
  let quota: number | undefined;
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
 * Postgres of the test run (MACE_TEST_POSTGRES_URL). If neither variable is set, starts a Postgres.
 * It has the product's read models, as yet without rows, because a service takes most of its start to make
 * their tables.
 */
export async function startTestPostgres(): Promise<TestServer> {
  const server = serverOfThisRun();
  if (!server) return startOwnPostgres();
  const { templateDatabase } = await loadedOnce<typeof import('./template-database.js')>(
    '#test/support/template-database.js',
  );
  return databaseIn(server, await templateDatabase(server));
}

/** The same as `startTestPostgres`, without any table. */
export async function startEmptyPostgres(): Promise<TestServer> {
  const server = serverOfThisRun();
  return server ? databaseIn(server) : startOwnPostgres();
}

/** Starts a Postgres for one test file, whatever servers are given. For tests that kill the server. */
export async function startOwnPostgres(folder = temporaryFolder('postgres')): Promise<OwnServer> {
  copyCluster(folder.path);
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

/**
 * Puts the run's new cluster into a data folder that has none, because `initdb` takes longer than the start of
 * the server. `startSharedServers` makes the cluster; its path is MACE_TEST_CLUSTER.
 */
function copyCluster(dataDir: string): void {
  const made = process.env['MACE_TEST_CLUSTER'];
  if (!made || existsSync(join(dataDir, 'postgres'))) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // A server's user must be able to enter the folder, as the product arranges it for a cluster of its own.
  chmodSync(dataDir, statSync(made).mode);
  const parts = ['postgres', 'postgres.password'].map((name) => join(made, name));
  execFileSync('cp', ['-a', ...parts, dataDir]);
}

async function databaseIn(server: string, template?: string): Promise<TestServer> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  return { url: url.href, stop: () => administer(server, drop) };
}

const discardLog = (): void => undefined;
