import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

/** The timeout of a step that downloads images or runs a whole suite, in ms. */
const LONG_MS = 1_800_000;

const root = fileURLToPath(new URL('../..', import.meta.url));

const startEventStore = (): Promise<StartedTestContainer> =>
  new GenericContainer('eventstore/eventstore:24.10')
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .withStartupTimeout(120_000)
    .start();

const startPostgres = (): Promise<StartedTestContainer> =>
  new GenericContainer('postgres:17')
    .withEnvironment({ POSTGRES_USER: 'mace', POSTGRES_HOST_AUTH_METHOD: 'trust' })
    .withExposedPorts(5432)
    // Postgres starts twice: first to initialize its data, then to serve.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .withStartupTimeout(120_000)
    .start();

/** Runs the tests below a path, which take the servers in turn. Returns the exit code. */
async function runSuite(path: string, servers: NodeJS.ProcessEnv): Promise<number> {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
  const run = spawn(process.execPath, [...jest, path], {
    cwd: root,
    env: { ...process.env, ...servers },
    stdio: 'inherit',
  });
  return new Promise((resolve) => run.on('exit', (code) => resolve(code ?? 1)));
}

describe('On EventStoreDB 24.10 and Postgres 17', () => {
  let eventStore: StartedTestContainer;
  let postgres: StartedTestContainer;
  let servers: NodeJS.ProcessEnv;

  beforeAll(async () => {
    [eventStore, postgres] = await Promise.all([startEventStore(), startPostgres()]);
    servers = {
      MACE_EVENTSTORE_URL: `esdb://${eventStore.getHost()}:${eventStore.getMappedPort(2113)}?tls=false`,
      MACE_POSTGRES_URL: `postgres://mace@${postgres.getHost()}:${postgres.getMappedPort(5432)}/mace`,
    };
  }, LONG_MS);

  afterAll(async () => {
    await Promise.all([eventStore?.stop(), postgres?.stop()]);
  });

  test(
    'the event-store conformance suite passes',
    async () => {
      expect(await runSuite('test/contract/event-store-conformance.test.ts', servers)).toBe(0);
    },
    LONG_MS,
  );

  test(
    'the end-to-end suites pass',
    async () => {
      expect(await runSuite('test/end-to-end/', servers)).toBe(0);
    },
    LONG_MS,
  );
});
