import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

const tests = fileURLToPath(new URL('..', import.meta.url));

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
    // It starts once to set itself up, and a second time to serve.
    .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
    .withStartupTimeout(120_000)
    .start();

async function runSuite(files: readonly string[], servers: NodeJS.ProcessEnv): Promise<number> {
  const env = { ...process.env, ...servers };
  delete env['NODE_TEST_CONTEXT'];
  const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve) => run.on('exit', (code) => resolve(code ?? 1)));
}

describe('The suites hold on EventStoreDB 24.10 and Postgres 17', () => {
  let eventStore: StartedTestContainer;
  let postgres: StartedTestContainer;
  let servers: NodeJS.ProcessEnv;

  before(async () => {
    [eventStore, postgres] = await Promise.all([startEventStore(), startPostgres()]);
    servers = {
      MACE_EVENTSTORE_URL: `esdb://${eventStore.getHost()}:${eventStore.getMappedPort(2113)}?tls=false`,
      MACE_POSTGRES_URL: `postgres://mace@${postgres.getHost()}:${postgres.getMappedPort(5432)}/mace`,
    };
  });

  after(async () => {
    await Promise.all([eventStore?.stop(), postgres?.stop()]);
  });

  test('the event-store conformance suite', async () => {
    assert.equal(await runSuite([`${tests}contract/event-store-conformance.test.js`], servers), 0);
  });

  test('the end-to-end suites', async () => {
    const names = await readdir(`${tests}end-to-end`);
    const files = names.filter((name) => name.endsWith('.test.js'));
    assert.equal(
      await runSuite(
        files.map((name) => `${tests}end-to-end/${name}`),
        servers,
      ),
      0,
    );
  });
});
