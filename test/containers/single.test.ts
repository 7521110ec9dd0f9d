import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StartedTestContainer } from 'testcontainers';
import { INSECURE_NODE, NODE_PORT } from './event-store-settings.js';
import { type GivenServers, givenServers } from './given-servers.js';
import { LONG_MS, runSuite } from './run-suite.js';
import { eventStoreContainer, startPostgres } from './start-event-store.js';

describe('On one EventStoreDB and Postgres 17, or on the servers of MACE_EVENTSTORE_URL and MACE_POSTGRES_URL', () => {
  const started: StartedTestContainer[] = [];
  let servers: GivenServers;

  beforeAll(async () => {
    servers = givenServers(process.env) ?? (await startServers());
  }, LONG_MS);
  afterAll(async () => {
    await Promise.all(started.map((container) => container.stop()));
  });

  async function startServers(): Promise<GivenServers> {
    const [eventStore, postgres] = await Promise.all([
      eventStoreContainer(INSECURE_NODE).withExposedPorts(NODE_PORT).start(),
      startPostgres(),
    ]);
    started.push(eventStore, postgres);
    const at = (container: StartedTestContainer, port: number) =>
      `${container.getHost()}:${container.getMappedPort(port)}`;
    return {
      MACE_EVENTSTORE_URL: `esdb://${at(eventStore, NODE_PORT)}?tls=false`,
      MACE_POSTGRES_URL: `postgres://mace@${at(postgres, 5432)}/mace`,
    };
  }

  test(
    'the event-store conformance suite passes',
    async () => {
      const suite = 'test/contract/event-store-conformance.test.ts';
      expect(await runSuite(suite, { ...servers })).toBe(0);
    },
    LONG_MS,
  );

  test(
    'the end-to-end suites pass',
    async () => {
      expect(await runSuite('test/end-to-end/', { ...servers })).toBe(0);
    },
    LONG_MS,
  );
});
